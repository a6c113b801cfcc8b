import type { Log } from '../../core/log.ts'
import type { ModelUsageLedger } from '../../core/model-ledger.ts'
import type { ListRules } from '../../core/proposed-rule.ts'
import type { Question } from '../../core/question.ts'
import type { QuestionLog } from '../../core/question-log.ts'
import type { LoadResultHeads } from '../../core/result-head.ts'
import type { RunContext } from '../../core/run-context.ts'
import type { LoadResult, SaveResult } from '../../core/saved-result.ts'
import type { SaveSnapshot } from '../../core/selection-snapshot.ts'
import type { LoadChampion } from '../../core/selector-version.ts'
import type { LoadTranscript } from '../../core/thread.ts'
import type { ListVerified } from '../../core/verified-query.ts'
import type { RunStore } from '../../core/workbench.ts'
import { makeRankGroups } from '../../selection/pairwise/rank-groups.ts'
import type { SelectorModel } from '../../selection/pairwise/selector-model.ts'
import { shippedSelector } from '../../selection/pairwise/shipped-selector.ts'
import { type Checkpoints, makeMemoryCheckpoints } from '../../store/checkpoints.ts'
import { makeMemoryTranscripts } from '../../store/in-memory/load-transcript.ts'
import { makeMemoryModelLedger } from '../../store/in-memory/model-ledger.ts'
import { makeMemoryQuestionLog } from '../../store/in-memory/question-log.ts'
import { makeMemoryResults } from '../../store/in-memory/results.ts'
import { makeMemoryRunStore } from '../../store/in-memory/workbench.ts'
import { questionRunContext } from '../audit/context-of-question.ts'
import { loadChampionFrom } from '../upkeep/selector-parts.ts'
import type { OwnStore } from './open-own-store.ts'

/** Where a question's work is kept: in memory for `ask` and `eval`, in our own store for everything else. */
export interface QuestionStorage {
  readonly runStore: RunStore
  readonly saveResult: SaveResult
  readonly loadResult: LoadResult
  readonly loadHeads: LoadResultHeads
  readonly questions: QuestionLog
  readonly loadTranscript: LoadTranscript
  readonly modelLedger: ModelUsageLedger
  readonly champion: LoadChampion
  readonly saveSnapshot: SaveSnapshot
  readonly checkpoints: Checkpoints
  readonly keepQuestion: (question: Question) => Promise<void>
  /** On whose account a question is worked on. */
  readonly contextOf: (questionId: string) => Promise<RunContext>
  /** Drops what is kept of a question only to work on it. */
  readonly forget: (questionId: string) => Promise<void>
  readonly listVerified?: ListVerified
  readonly listRules?: ListRules
}

/** The same selector for every question. */
export const fixedChampion =
  (model: SelectorModel): LoadChampion =>
  async () => ({ version: model.version, rank: makeRankGroups(model) })

/** Keeps work for as long as the process lives. */
export const makeMemoryQuestionStorage = (): QuestionStorage => {
  const workbench = makeMemoryRunStore()
  const results = makeMemoryResults()
  const questions = makeMemoryQuestionLog()
  const checkpoints = makeMemoryCheckpoints()
  return {
    runStore: workbench,
    saveResult: results.save,
    loadResult: results.load,
    loadHeads: results.heads,
    questions,
    loadTranscript: makeMemoryTranscripts({ questions, workbench }),
    modelLedger: makeMemoryModelLedger(),
    champion: fixedChampion(shippedSelector),
    // Nobody votes on what is kept in memory.
    saveSnapshot: async () => {},
    checkpoints,
    keepQuestion: async question => questions.insert(question),
    contextOf: async id => questionRunContext(id, await questions.load(id)),
    forget: async questionId => {
      workbench.forget(questionId)
      results.forget(questionId)
      questions.forget(questionId)
      await checkpoints.forget(questionId)
    },
  }
}

/** Keeps work in our own store. */
export const makeStoreQuestionStorage = ({ store, checkpoints }: OwnStore, log: Log): QuestionStorage => ({
  runStore: store.runStore,
  saveResult: store.saveResult,
  loadResult: store.loadResult,
  loadHeads: store.loadHeads,
  questions: store.questionLog,
  loadTranscript: store.loadTranscript,
  modelLedger: store.repositories.modelUsage,
  champion: loadChampionFrom(store.repositories, { now: () => new Date(), log }),
  saveSnapshot: (questionId, snapshot) => store.repositories.selectionSnapshots.upsert(questionId, snapshot),
  checkpoints,
  keepQuestion: async question => {
    await store.repositories.questions.insert(question, null)
  },
  contextOf: async id => {
    const { questions, replies } = store.repositories
    const question = await questions.find(id)
    // What is gone on with is on the account of whoever said how.
    const repliedBy = question?.runBy === undefined ? null : (await replies.find(id))?.repliedBy
    return questionRunContext(id, question, repliedBy ? { person: repliedBy } : {})
  },
  // The run can be looked at later; only LangGraph's own tables have nothing more to tell.
  forget: questionId => checkpoints.forget(questionId),
  listVerified: database => store.repositories.verifiedQueries.list({ database, status: 'accepted' }),
  listRules: only => store.repositories.proposedRules.list(only),
})
