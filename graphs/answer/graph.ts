import { type BaseCheckpointSaver, END, START, StateGraph } from '@langchain/langgraph'
import { QuerentError } from '../../src/domain/errors.ts'
import type { AnswerDeps } from './deps.ts'
import { applyReply } from './nodes/apply-reply.ts'
import { askClarification } from './nodes/ask-clarification.ts'
import { makeAskKeywords } from './nodes/ask-keywords.ts'
import { makeCompareGroups } from './nodes/compare-groups.ts'
import { makeDraftSql } from './nodes/draft-sql.ts'
import { makeExplainAnswer } from './nodes/explain-answer.ts'
import { makeFindValues } from './nodes/find-values.ts'
import { makeLinkSchema } from './nodes/link-schema.ts'
import { makeOfferNarrower } from './nodes/offer-narrower.ts'
import { makePlanRound } from './nodes/plan-round.ts'
import { makeRecallAnswer } from './nodes/recall-answer.ts'
import { makeRefuseMissing } from './nodes/refuse-missing.ts'
import { makeRepairSql } from './nodes/repair-sql.ts'
import { makeRunApproved } from './nodes/run-approved.ts'
import { makeRunStrategy } from './nodes/run-strategy.ts'
import { makeSelectAnswer } from './nodes/select-answer.ts'
import { makeStoreAnswer } from './nodes/store-answer.ts'
import { makeUnderstandQuestion } from './nodes/understand-question.ts'
import { observeNodes } from './observe.ts'
import {
  afterChoosing,
  afterRecalling,
  afterReply,
  afterStrategy,
  makeAfterExplaining,
  makeAfterLinking,
  makeAfterPlanning,
  makeAfterUnderstanding,
  toRepairing,
} from './routes.ts'
import { AnswerState } from './state.ts'

/**
 * The answer graph: wiring only. One LangGraph thread a question, checkpointed after every super-step. A checkpoint
 * holds the names of nodes, so a node that is renamed strands the runs that were interrupted before it.
 */
export const buildAnswerGraph = (deps: AnswerDeps, checkpointer: BaseCheckpointSaver) => {
  const nodes = observeNodes(deps.observing, {
    // What is asked, and which days its relative periods mean.
    'understand-question': makeUnderstandQuestion(deps),
    // Whether the same was answered a while ago.
    'recall-answer': makeRecallAnswer(deps),
    // Which literals of the database the question's words may be.
    'find-values': makeFindValues(deps),
    // Which part of the schema a draft needs to see.
    'link-schema': makeLinkSchema(deps),
    // A published system in place of our own drafting, with a graph of its own.
    'run-strategy': makeRunStrategy(deps),
    // Groups candidates by their results, then plans the next drafts or ends drafting.
    'plan-wave': makePlanRound(deps),
    // Which of the leading results a judge prefers.
    'compare-groups': makeCompareGroups(deps),
    // Answer, ask back or refuse.
    'select-answer': makeSelectAnswer(deps),
    // Refuses an answer that leaves out words for which the database has nothing, and says what can be asked instead.
    'refuse-missing': makeRefuseMissing(deps),
    // What the reply means: one of the options, or new words to draft for.
    'apply-reply': applyReply,
    // Runs the expensive statement that a person has agreed to.
    'run-approved': makeRunApproved(deps),
    // What could be asked instead of an expensive question.
    'offer-narrower': makeOfferNarrower(deps),
    // The headline, its numbers taken from the result by code.
    'explain-answer': makeExplainAnswer(deps),
    // Keeps an answer for anyone who asks the same.
    'store-answer': makeStoreAnswer(deps),
  })
  const branches = observeNodes(deps.observing, {
    // One branch a draft; a branch never throws, because one exception would end all of them.
    'draft-sql': makeDraftSql(deps),
    // Which other words the question's values may have, asked of a model while it writes its first draft.
    'ask-keywords': makeAskKeywords(deps),
    // One branch a candidate: guard, run, and up to three rounds of repair.
    'repair-sql': makeRepairSql(deps),
  })
  return (
    new StateGraph(AnswerState)
      // Jitter would add up to a second to a retry that is due in milliseconds.
      .setNodeDefaults({
        retryPolicy: { maxAttempts: 3, jitter: false, retryOn: isTransient, logWarning: false },
      })
      .addNode(nodes)
      .addNode('draft-sql', branches['draft-sql'])
      .addNode('ask-keywords', branches['ask-keywords'])
      .addNode('repair-sql', branches['repair-sql'])
      // Interrupt only: code before an interrupt runs again on resume.
      .addNode('ask-clarification', askClarification)
      .addEdge(START, 'understand-question')
      .addConditionalEdges('understand-question', makeAfterUnderstanding(deps), [
        'recall-answer',
        'find-values',
        END,
      ])
      .addConditionalEdges('recall-answer', afterRecalling, ['find-values', END])
      .addEdge('find-values', 'link-schema')
      .addConditionalEdges('link-schema', makeAfterLinking(deps), ['run-strategy', 'plan-wave'])
      .addConditionalEdges('run-strategy', afterStrategy, ['plan-wave', 'select-answer'])
      .addConditionalEdges('plan-wave', makeAfterPlanning(deps), [
        'draft-sql',
        'ask-keywords',
        'repair-sql',
        'compare-groups',
        'select-answer',
      ])
      .addConditionalEdges('draft-sql', toRepairing, ['repair-sql'])
      .addEdge('repair-sql', 'plan-wave')
      .addEdge('compare-groups', 'select-answer')
      .addEdge('select-answer', 'refuse-missing')
      .addConditionalEdges('refuse-missing', afterChoosing, ['ask-clarification', 'explain-answer', END])
      .addEdge('ask-clarification', 'apply-reply')
      .addConditionalEdges('apply-reply', afterReply, [
        'select-answer',
        'run-approved',
        'offer-narrower',
        'understand-question',
      ])
      .addEdge('run-approved', 'select-answer')
      .addEdge('offer-narrower', END)
      .addConditionalEdges('explain-answer', makeAfterExplaining(deps), ['store-answer', END])
      .addEdge('store-answer', END)
      .compile({ checkpointer })
  )
}

/** Worth another try within the same run: somebody else's service was briefly away. */
const isTransient = (error: unknown): boolean =>
  error instanceof QuerentError &&
  (error.code === 'database-unreachable' || error.code === 'store-unavailable')
