import { type BaseCheckpointSaver, END, START, StateGraph } from '@langchain/langgraph'
import { QuerentError } from '../../src/domain/errors.ts'
import type { AnswerDeps } from './deps.ts'
import { makeApplyReply } from './nodes/apply-reply.ts'
import { askClarification } from './nodes/ask-clarification.ts'
import { makeCompareGroups } from './nodes/compare-groups.ts'
import { makeDraftSql } from './nodes/draft-sql.ts'
import { makeExplainAnswer } from './nodes/explain-answer.ts'
import { makeFindValues } from './nodes/find-values.ts'
import { makeLinkSchema } from './nodes/link-schema.ts'
import { makePlanRound } from './nodes/plan-round.ts'
import { makeRecallAnswer, makeStoreAnswer } from './nodes/recall-answer.ts'
import { makeRefuseMissing } from './nodes/refuse-missing.ts'
import { makeRepairSql } from './nodes/repair-sql.ts'
import { makeSelectAnswer } from './nodes/select-answer.ts'
import { makeUnderstandQuestion } from './nodes/understand-question.ts'
import {
  afterChoosing,
  afterRecalling,
  afterReply,
  makeAfterPlanning,
  makeAfterUnderstanding,
  toRepairing,
} from './routes.ts'
import { AnswerState } from './state.ts'
import { makeObserveNode } from './trace.ts'

/** The answer graph: wiring only. One LangGraph thread a question, checkpointed after every super-step. */
export const buildAnswerGraph = (deps: AnswerDeps, checkpointer: BaseCheckpointSaver) => {
  const observe = makeObserveNode(deps)
  return (
    new StateGraph(AnswerState)
      // Jitter would add up to a second to a retry that is due in milliseconds.
      .setNodeDefaults({
        retryPolicy: { maxAttempts: 3, jitter: false, retryOn: isTransient, logWarning: false },
      })
      // What is asked, and which days its relative periods mean.
      .addNode('understand-question', observe('understand-question', makeUnderstandQuestion(deps)))
      // Whether the same was answered a while ago.
      .addNode('recall-answer', observe('recall-answer', makeRecallAnswer(deps)))
      // Which literals of the database the question's words may be.
      .addNode('find-values', observe('find-values', makeFindValues(deps)))
      // Which part of the schema a draft needs to see.
      .addNode('link-schema', observe('link-schema', makeLinkSchema(deps)))
      // Candidates with equal results stand together; then what to draft next, or that it is enough.
      .addNode('plan-wave', observe('plan-wave', makePlanRound(deps)))
      // One branch a draft; a branch never throws, because one exception would end all of them.
      .addNode('draft-sql', observe('draft-sql', makeDraftSql(deps)))
      // One branch a candidate: guard, run, and up to three rounds of repair.
      .addNode('repair-sql', observe('repair-sql', makeRepairSql(deps)))
      // Which of the leading results a judge prefers.
      .addNode('compare-groups', observe('compare-groups', makeCompareGroups(deps)))
      // Answer, ask back or refuse.
      .addNode('select-answer', observe('select-answer', makeRefuseMissing(deps, makeSelectAnswer(deps))))
      // Interrupt only: code before an interrupt runs again on resume.
      .addNode('ask-clarification', askClarification)
      // What the reply means: one of the options, or new words for another round.
      .addNode('apply-reply', observe('apply-reply', makeApplyReply(deps)))
      // The headline, its numbers taken from the result by code.
      .addNode('explain-answer', observe('explain-answer', makeStoreAnswer(deps, makeExplainAnswer(deps))))
      .addEdge(START, 'understand-question')
      .addConditionalEdges('understand-question', makeAfterUnderstanding(deps), [
        'recall-answer',
        'find-values',
        END,
      ])
      .addConditionalEdges('recall-answer', afterRecalling, ['find-values', END])
      .addEdge('find-values', 'link-schema')
      .addEdge('link-schema', 'plan-wave')
      .addConditionalEdges('plan-wave', makeAfterPlanning(deps), [
        'draft-sql',
        'compare-groups',
        'select-answer',
      ])
      .addConditionalEdges('draft-sql', toRepairing, ['repair-sql'])
      .addEdge('repair-sql', 'plan-wave')
      .addEdge('compare-groups', 'select-answer')
      .addConditionalEdges('select-answer', afterChoosing, ['ask-clarification', 'explain-answer', END])
      .addEdge('ask-clarification', 'apply-reply')
      .addConditionalEdges('apply-reply', afterReply, ['select-answer', 'understand-question'])
      .addEdge('explain-answer', END)
      .compile({ checkpointer })
  )
}

/** Worth another try within the same run: somebody else's service was briefly away. */
const isTransient = (error: unknown): boolean =>
  error instanceof QuerentError &&
  (error.code === 'database-unreachable' || error.code === 'store-unavailable')
