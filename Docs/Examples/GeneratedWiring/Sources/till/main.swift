// Part of an example of Understudy: wiring that is generated.
// SPDX-License-Identifier: MIT

import Understudy
import UnderstudyDefinitions

Resolver.main.install(TillWiring())
Resolver.main.install(try Properties([.values(["till": ["currency": "pound"]])]))
print(try Resolver.main.resolve(Drawer.self).text(of: 12))
