import { interrupt } from '@langchain/langgraph'
import type { Clarification, ClarificationReply } from '../../../src/domain/clarification.ts'
import type { State, Update } from '../state.ts'

/** Waits for the reply, however long it takes. Do nothing else in this node: it would run again on resume. */
export const askClarification = (state: State): Update => ({
  reply: interrupt<Clarification | null, ClarificationReply>(state.clarification),
})
