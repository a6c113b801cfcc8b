import { questionRunContext } from '../../audit/run-contexts.ts'
import type { LoadTranscript } from '../../domain/conversation.ts'
import type { ListRules } from '../../domain/knowledge.ts'
import type { RunContext } from '../../domain/operations/audit.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import type { ModelUsageLedger } from '../../domain/operations/usage.ts'
import type { Question, QuestionLog } from '../../domain/question.ts'
import type { RunStore } from '../../domain/question-context.ts'
import type { LoadResult, LoadResultHeads, SaveResult } from '../../domain/result.ts'
import type { ExpertRecords } from '../../domain/selection/experts.ts'
import type { LoadChampion, SaveSnapshot } from '../../domain/selection/ranking.ts'
import type { ListVerified } from '../../domain/verified-query.ts'
import { makeRankGroups } from '../../ranking/selector/rank-groups.ts'
import type { SelectorModel } from '../../ranking/selector/selector-model.ts'
import { shippedSelector } from '../../ranking/selector/shipped-selector.ts'
import type { Checkpoints } from '../../store/checkpoints.ts'
import { makeMemoryCheckpoints } from '../../store/checkpoints.ts'
import {
  makeMemoryExpertRecords,
  makeMemoryModelLedger,
  makeMemoryQuestionLog,
  makeMemoryResults,
  makeMemoryRunStore,
  makeMemoryTranscripts,
} from '../../store/in-memory.ts'
import type { OwnStore } from '../own-store.ts'
import { loadChampionFrom } from '../selector-training.ts'

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
  readonly expertRecords: ExpertRecords
  readonly checkpoints: Checkpoints
  readonly keepQuestion: (question: Question) => Promise<void>
  /** For whom a question is answered, and where it was asked. */
  readonly contextOf: (questionId: string) => Promise<RunContext>
  /** Deletes what is kept only while a question is answered. */
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
  const runStore = makeMemoryRunStore()
  const results = makeMemoryResults()
  const questions = makeMemoryQuestionLog()
  const checkpoints = makeMemoryCheckpoints()
  const expertRecords = makeMemoryExpertRecords()
  return {
    runStore,
    saveResult: results.save,
    loadResult: results.load,
    loadHeads: results.heads,
    questions,
    loadTranscript: makeMemoryTranscripts({ questions, runStore }),
    modelLedger: makeMemoryModelLedger(),
    champion: fixedChampion(shippedSelector),
    // There are no votes on answers in memory.
    saveSnapshot: async () => {},
    expertRecords,
    checkpoints,
    keepQuestion: async question => questions.insert(question),
    contextOf: async id => {
      const question = await questions.load(id)
      return questionRunContext(id, question && { ...question, location: null })
    },
    forget: async questionId => {
      runStore.forget(questionId)
      results.forget(questionId)
      questions.forget(questionId)
      expertRecords.forget(questionId)
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
  expertRecords: store.expertRecords,
  saveSnapshot: (questionId, snapshot) => store.repositories.selectionSnapshots.upsert(questionId, snapshot),
  checkpoints,
  keepQuestion: async question => {
    await store.repositories.questions.insert(question, null)
  },
  contextOf: async id => {
    const { questions, replies } = store.repositories
    const question = await questions.find(id)
    // After a reply, the question counts for the person who replied.
    const repliedBy = question?.runBy === undefined ? null : (await replies.find(id))?.repliedBy
    return questionRunContext(
      id,
      question && { ...question, location: question.place },
      repliedBy ? { person: repliedBy } : {},
    )
  },
  // Everything else about the run stays readable.
  forget: questionId => checkpoints.forget(questionId),
  listVerified: database => store.repositories.verifiedQueries.list({ database, status: 'accepted' }),
  listRules: only => store.repositories.proposedRules.list(only),
})
