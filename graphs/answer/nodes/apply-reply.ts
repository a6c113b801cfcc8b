import type { ClarificationReply } from '../../../src/domain/clarification.ts'
import { isOnlySmallTalk } from '../../../src/lib/small-talk.ts'
import { chosenOption, groupsOfOption, matchReply } from '../options.ts'
import type { State, Update } from '../state.ts'

/**
 * Takes a typed reply as one of the options if it names just one; else asks again with the words added. An option of
 * which no result is left is drafted again in its own words. "Yes" or "thanks" adds nothing to the question, so the
 * default stands.
 */
export const applyReply = async (state: State): Promise<Update> => {
  const { reply, clarification } = state
  if (!reply || !clarification) return {}
  const number = matchReply(reply, clarification)
  if (number === null && reply.kind === 'text' && !isOnlySmallTalk(reply.text))
    return withWords(state, reply.text)
  const settled: ClarificationReply =
    reply.kind === 'option'
      ? reply
      : number === null
        ? { kind: 'option', number: clarification.defaultOption + 1, unnamed: true }
        : { kind: 'option', number }
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
