// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import NIOCore
import NIOEmbedded
import Testing
import UnderstudyDoubles

@Suite struct ChannelHandlerTests {
  @Test func `an inbound handler is called by its pipeline, and passes on as it is told`()
    throws
  {
    let handler = ChannelInboundHandlerDouble<String, String, String>()
    handler.spy.channelRead.does { $0.fireChannelRead($1) }
    let channel = EmbeddedChannel(handler: handler)
    try channel.writeInbound("Curtain")
    #expect(try channel.readInbound(as: String.self) == "Curtain")
    #expect(handler.spy.handlerAdded.calls.count == 1)
    #expect(handler.spy.channelRead.calls.count == 1)
    #expect(handler.spy.channelReadComplete.calls.count == 1)
    channel.pipeline.fireUserInboundEventTriggered("Interval")
    #expect(handler.spy.userInboundEventTriggered.calls.map { $0.1 as? String } == ["Interval"])
    channel.pipeline.fireErrorCaught(ChannelError.ioOnClosedChannel)
    #expect(handler.spy.errorCaught.calls.map { $0.1 as? ChannelError } == [.ioOnClosedChannel])
  }

  @Test func `an outbound handler holds back a message without a write`() throws {
    let handler = ChannelOutboundHandlerDouble<String, String>()
    // A new channel waits for this call.
    handler.spy.register.does { $0.register(promise: $1) }
    let channel = EmbeddedChannel(handler: handler)
    channel.write("Whisper", promise: nil)
    #expect(handler.spy.write.calls.count == 1)
    handler.spy.write.does { $0.write($1, promise: $2) }
    handler.spy.flush.does { $0.flush() }
    channel.writeAndFlush("Line", promise: nil)
    #expect(try channel.readOutbound(as: String.self) == "Line")
    #expect(try channel.readOutbound(as: String.self) == nil)
    #expect(handler.spy.write.calls.count == 2)
    #expect(handler.spy.flush.calls.count == 1)
  }

  @Test func `a handler is removed when it allows that`() {
    let handler = RemovableChannelHandlerDouble()
    handler.spy.removeHandler.does { $0.leavePipeline(removalToken: $1) }
    let removable = Removable(handler)
    let channel = EmbeddedChannel(handler: removable)
    channel.pipeline.syncOperations.removeHandler(removable, promise: nil)
    channel.embeddedEventLoop.run()
    #expect(handler.spy.removeHandler.calls.count == 1)
    #expect(handler.spy.handlerRemoved.calls.count == 1)
  }

  @Test func `byte handlers return the number of buffered bytes`() {
    let inbound = NIOInboundByteBufferingChannelHandlerDouble()
    inbound.spy.inboundBufferedBytes.returns(3)
    let outbound = NIOOutboundByteBufferingChannelHandlerDouble()
    outbound.spy.outboundBufferedBytes.returns(5)
    #expect((inbound as any NIOInboundByteBufferingChannelHandler).inboundBufferedBytes == 3)
    #expect((outbound as any NIOOutboundByteBufferingChannelHandler).outboundBufferedBytes == 5)
    #expect(inbound.spy.inboundBufferedBytes.calls.count == 1)
    #expect(outbound.spy.outboundBufferedBytes.calls.count == 1)
  }

  @Test func `the protocols below them have their own doubles`() throws {
    let plain = ChannelHandlerDouble()
    let inbound = _ChannelInboundHandlerDouble()
    let outbound = _ChannelOutboundHandlerDouble()
    outbound.spy.register.does { $0.register(promise: $1) }
    let channel = EmbeddedChannel(handlers: [inbound, outbound])
    let context = try channel.pipeline.syncOperations.context(handler: inbound)
    (plain as any ChannelHandler).handlerAdded(context: context)
    channel.pipeline.fireChannelReadComplete()
    channel.flush()
    #expect(plain.spy.handlerAdded.calls.count == 1)
    #expect(inbound.spy.channelReadComplete.calls.count == 1)
    #expect(outbound.spy.flush.calls.count == 1)
    let emitting = _EmittingChannelHandlerDouble<Int>()
    emitting.spy.wrapOutboundOut.does { NIOAny($0) }
    #expect("\(emitting.wrapOutboundOut(3))" == "\(NIOAny(3))")
    #expect(emitting.spy.wrapOutboundOut.calls == [3])
  }
}

/// Leaves its removal to another handler. A channel accepts only inbound and outbound handlers.
private final class Removable: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = String

  private let other: any RemovableChannelHandler

  init(_ other: any RemovableChannelHandler) { self.other = other }

  func removeHandler(
    context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken
  ) {
    other.removeHandler(context: context, removalToken: removalToken)
  }

  func handlerRemoved(context: ChannelHandlerContext) { other.handlerRemoved(context: context) }
}
