// Part of an example of Understudy: a server.
// SPDX-License-Identifier: MIT

import BoxOfficeServer
import NIOCore
import NIOPosix
import Testing
import UnderstudyTesting
import UnderstudyNIO

/// The way in which a callback of an event loop runs.
enum Callback: CaseIterable {
  case execute, submit, scheduled, future, completion, threadPool, channel, submitCarrying,
    flatMapThrowingCarrying

  /// Runs `body` in such a callback, with the context of the caller.
  func run(
    on eventLoop: any EventLoop, _ body: @escaping @Sendable () throws -> String
  ) async throws -> String {
    let context = OverrideContext.current
    let carried: @Sendable () throws -> String = { try context.run { try body() } }
    let promise = eventLoop.makePromise(of: String.self)
    switch self {
    case .execute: eventLoop.execute { promise.completeWith(Result { try carried() }) }
    case .submit: eventLoop.submit(carried).cascade(to: promise)
    case .scheduled:
      eventLoop.scheduleTask(in: .zero, carried).futureResult.cascade(to: promise)
    case .future:
      eventLoop.makeSucceededVoidFuture().flatMapThrowing { _ in try carried() }
        .cascade(to: promise)
    case .completion:
      eventLoop.makeSucceededVoidFuture().whenComplete { _ in
        promise.completeWith(Result { try carried() })
      }
    case .threadPool:
      NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop, carried).cascade(to: promise)
    case .channel: try await Loopback.greet(carried, promise)
    case .submitCarrying: eventLoop.submitCarrying(body).cascade(to: promise)
    case .flatMapThrowingCarrying:
      eventLoop.makeSucceededVoidFuture().flatMapThrowingCarrying { _ in try body() }
        .cascade(to: promise)
    }
    return try await promise.futureResult.get()
  }
}

/// A handler of a channel, over a real socket.
private final class Handler: ChannelInboundHandler, Sendable {
  typealias InboundIn = ByteBuffer

  private let body: @Sendable () throws -> String
  private let promise: EventLoopPromise<String>

  init(_ body: @escaping @Sendable () throws -> String, _ promise: EventLoopPromise<String>) {
    self.body = body
    self.promise = promise
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    promise.completeWith(Result { try body() })
  }
}

private enum Loopback {
  /// Lets a server's handler run `body` when a client writes to it.
  static func greet(
    _ body: @escaping @Sendable () throws -> String, _ promise: EventLoopPromise<String>
  ) async throws {
    let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Handler(body, promise))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    let port = try #require(server.localAddress?.port)
    let client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: "127.0.0.1", port: port).get()
    try await client.writeAndFlush(ByteBuffer(string: "hello"))
    _ = try? await promise.futureResult.get()
    try await client.close()
    try await server.close()
  }
}

private protocol Part: Sendable { var name: String { get } }
private struct Lead: Part { let name = "production" }
private struct Stand: Part { let name: String }

/// All cases run at the same time on the same few event loops.
struct `A callback of an event loop` {
  @Test(arguments: Callback.allCases, 0..<16)
  func `sees the doubles of the test whose context it carries`(
    callback: Callback, round: Int
  ) async throws {
    Resolver.main.register { Lead() as any Part }
    let name = "\(callback) \(round)"
    let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
    let seen = try await withOverrides {
      $0.register { Stand(name: name) as any Part }
    } operation: {
      let seen = try await callback.run(on: eventLoop) {
        #expect(eventLoop.inEventLoop || callback == .threadPool || callback == .channel)
        return try Resolver.main.resolve((any Part).self).name
      }
      assertResolved((any Part).self, count: 1)
      return seen
    }
    #expect(seen == name)
  }
}
