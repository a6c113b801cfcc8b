import type { AnswerDeps, NodeRun } from '../deps.ts'
import { runExpensive } from '../expensive/run-approval.ts'
import { chosenOption, groupsOfOption, matchReply } from '../options.ts'
import type { State, Update } from '../state.ts'

/**
 * Takes a typed reply as one of the options when it names just one; else asks again with the words added. An option of
 * which no result is left is drafted anew in its own words. Where it was asked whether a heavy statement may run, it is
 * run here, or not.
 */
export const makeApplyReply =
  (
    deps: Pick<
      AnswerDeps,
      'database' | 'workbench' | 'saveResult' | 'resultKey' | 'columnsKey' | 'findEvidence'
    >,
  ) =>
  async (state: State, run: NodeRun): Promise<Update> => {
    const { reply, clarification } = state
    if (!reply || !clarification) return {}
    const number = matchReply(reply, clarification)
    if (number === null) return reply.kind === 'text' ? withWords(state, reply.text) : {}
    const settled = reply.kind === 'option' ? reply : { kind: 'option' as const, number }
    const option = chosenOption({ reply: settled, clarification })
    if (option?.act === 'run') return { reply: settled, ...(await runExpensive(option, state, deps, run)) }
    if (option?.act !== undefined) return { reply: settled }
    if (option !== null && groupsOfOption(option, state.groups).length > 0) return { reply: settled }
    const text = option?.label ?? (reply.kind === 'text' ? reply.text : '')
    return text === '' ? {} : { ...withWords(state, text), reply: { kind: 'text', text } }
  }

const withWords = (state: State, words: string): Update => ({
  question: { ...state.question, text: `${state.question.text} (${words})` },
  round: state.round + 1,
})
