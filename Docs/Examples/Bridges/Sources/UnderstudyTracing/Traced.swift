// Part of Understudy: a bridge to swift-distributed-tracing.
// SPDX-License-Identifier: MIT

import Tracing
import Understudy

/// Runs the block of a registration in a span of its own, a child of the caller's span.
///
/// ```swift
/// resolver.register(lifecycle: .cached) { traced { Database() as any Store } }
/// ```
///
/// The span is named for the type, `create any Store`. Its attributes are `understudy.key`, and
/// `understudy.layer` where the block runs under a layer. An error of the block is recorded on the
/// span, and thrown.
public func traced<Value>(
  by tracer: (any Tracer)? = nil, _ block: () throws -> Value
) rethrows -> Value {
  let tracer = tracer ?? InstrumentationSystem.tracer
  return try tracer.withAnySpan("create \(Value.self)") { span in
    span.attributes["understudy.key"] = "\(Value.self)"
    if let layer = OverrideLayer.current { span.attributes["understudy.layer"] = "\(layer.name)" }
    return try block()
  }
}
