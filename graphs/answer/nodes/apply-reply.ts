import { chosenOption, groupsOfOption, matchReply } from '../options.ts'
import type { State, Update } from '../state.ts'

/**
 * Takes a typed reply as one of the options if it names just one; else asks again with the words added. An option of
 * which no result is left is drafted again in its own words.
 */
export const applyReply = async (state: State): Promise<Update> => {
  const { reply, clarification } = state
  if (!reply || !clarification) return {}
  const number = matchReply(reply, clarification)
  if (number === null) return reply.kind === 'text' ? withWords(state, reply.text) : {}
  const settled = reply.kind === 'option' ? reply : { kind: 'option' as const, number }
  const option = chosenOption({ reply: settled, clarification })
  if (option?.act !== undefined) return { reply: settled }
  if (option !== null && groupsOfOption(option, state.groups).length > 0) return { reply: settled }
  const text = option?.label ?? (reply.kind === 'text' ? reply.text : '')
  return text === '' ? {} : { ...withWords(state, text), reply: { kind: 'text', text } }
}

const withWords = (state: State, words: string): Update => ({
  question: { ...state.question, replies: [...(state.question.replies ?? []), words] },
  round: state.round + 1,
})
