import { type InSpan, withoutSpans } from '../core/span.ts'
import type { CallModel } from './call-model.ts'

/** The same calls, each in a span of its own with its model and its tokens; nothing of what was said. */
export const withSpans =
  (callModel: CallModel, inSpan: InSpan = withoutSpans): CallModel =>
  call =>
    inSpan('call-model', { model: call.model }, async span => {
      const reply = await callModel(call)
      const { promptTokens, completionTokens, cutOff } = reply
      span.set({ promptTokens, completionTokens, cutOff })
      return reply
    })
