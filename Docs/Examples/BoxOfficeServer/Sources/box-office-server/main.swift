// Part of an example of Understudy: a server.
// SPDX-License-Identifier: MIT

import BoxOfficeServer
import Hummingbird
import Understudy

Resolver.main.registerProduction()
try await makeApplication().runService()
