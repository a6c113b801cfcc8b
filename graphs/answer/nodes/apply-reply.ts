import type { Clarification, ClarificationReply } from '../../../src/core/clarification.ts'
import { foldText } from '../../../src/lib/fold-text.ts'
import type { NodeRun } from '../deps.ts'
import type { State, Update } from '../state.ts'

/** Takes a typed reply as one of the options when it names just one; else asks again with the words added. */
export const makeApplyReply =
  (_deps: object) =>
  async (state: State, _run: NodeRun): Promise<Update> => {
    const { reply, clarification } = state
    if (!reply || !clarification || reply.kind === 'option') return {}
    const number = optionMeant(reply, clarification)
    if (number !== null) return { reply: { kind: 'option', number } }
    const text = `${state.question.text} (${reply.text})`
    return { question: { ...state.question, text }, round: state.round + 1 }
  }

const optionMeant = (
  reply: Extract<ClarificationReply, { kind: 'text' }>,
  clarification: Clarification,
): number | null => {
  const typed = Number.parseInt(reply.text.trim(), 10)
  if (String(typed) === reply.text.trim() && clarification.options[typed - 1]) return typed
  const words = foldText(reply.text).split(/\s+/).filter(Boolean)
  const meant = clarification.options.flatMap((option, index) => {
    const label = foldText(option.label).split(/[^\p{L}\p{N}]+/u)
    return words.length > 0 && words.every(word => label.includes(word)) ? [index + 1] : []
  })
  return meant.length === 1 ? (meant[0] ?? null) : null
}
