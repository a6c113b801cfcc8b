import { randomUUID } from 'node:crypto'
import { takeSchemaSnapshot } from '../../../graphs/answer/repair/renames/past-schema.ts'
import type { CheckRateLimit } from '../../answering/rate-limits.ts'
import { digestRunContext } from '../../audit/run-contexts.ts'
import type { DigestDeps, ReadRelativeSql } from '../../digests/digest-deps.ts'
import { makeDigestUseCases } from '../../digests/digest-use-cases.ts'
import { parseDigestWords } from '../../digests/digest-words.ts'
import { findingOfTable } from '../../digests/findings.ts'
import { type AskAgain, makeAskAgain } from '../../digests/propose-repair.ts'
import { type FindPhraseDays, makeFindPhraseDays } from '../../digests/relative-dates/day-literals.ts'
import { parseRelativeSql } from '../../digests/relative-dates/relative-sql.ts'
import { nextDue } from '../../digests/schedule/next-due.ts'
import { parseSchedule } from '../../digests/schedule/parse-schedule.ts'
import type { AccessControl } from '../../domain/access/access.ts'
import type { FindAnsweredQuestion } from '../../domain/answer.ts'
import type { DigestUseCases } from '../../domain/digests/use-cases.ts'
import type { RunContext } from '../../domain/operations/audit.ts'
import type { SendJob } from '../../domain/operations/jobs.ts'
import { once } from '../../lib/once.ts'
import { understandQuestion } from '../../parser/understand/understand-question.ts'
import { makeAnswering } from '../answering/answering.ts'
import type { OwnStore } from '../own-store.ts'
import type { Resources } from '../resources.ts'

/** The days of a period in words, as everything in digests reads them. */
export const daysOfPhrase = makeFindPhraseDays(understandQuestion)

/** All digest use cases, over the store. */
export const makeStoredDigestUseCases = (
  { openDatabase }: Pick<Resources, 'openDatabase'>,
  { store }: Pick<OwnStore, 'store'>,
  deps: {
    readonly access: Pick<AccessControl, 'mayAsk' | 'reachableDatabases' | 'audience'>
    readonly isAdmin: (person: string) => boolean
    /** The most digests allowed; null for no limit. */
    readonly most: DigestDeps['most']
    readonly findAnswered: FindAnsweredQuestion
    readonly sendJob: SendJob
    /** The rate limit for runs started by clicks. */
    readonly limit: CheckRateLimit
    readonly now: () => Date
  },
): DigestUseCases => {
  const { digests, digestRuns, digestFindings, questionContexts } = store.repositories
  return makeDigestUseCases({
    ...deps,
    digests,
    lastByHand: (digestId, tx) => digestRuns.lastByHand(digestId, tx),
    findStatements: run => digestRuns.findStatements(run),
    loadResult: store.loadResult,
    findingOf: findingOfTable,
    insertRun: (run, tx) => digestRuns.insert(run, tx),
    listFindings: (digestId, tx) => digestFindings.listOf(digestId, tx),
    removeFinding: (digestId, questionId, tx) => digestFindings.remove(digestId, questionId, tx),
    inTransaction: store.inTransaction,
    findUnderstanding: async questionId => (await questionContexts.find(questionId))?.understanding ?? null,
    openDatabase: name => openDatabase(name),
    parseSchedule,
    readWords: parseDigestWords,
    nextDue,
    snapshotSchema: takeSchemaSnapshot,
    readRelativeSql: makeReadRelativeSql(deps.now, daysOfPhrase),
    newId: randomUUID,
  })
}

/** Finds the relative periods of an answer; the day of `now` is used if the question's understanding is unknown. */
const makeReadRelativeSql =
  (now: () => Date, daysOf: FindPhraseDays): ReadRelativeSql =>
  ({ sql, dialect, understanding }) =>
    parseRelativeSql(
      {
        ...{ sql, dialect },
        today: understanding?.today ?? now().toISOString().slice(0, 10),
        periods: understanding?.spans ?? [],
      },
      daysOf,
    )

/**
 * Asks a digest question again the way any question is answered, in the store, with a model if one is configured. The
 * run has checked permission. Nothing is created before the first call.
 */
export const makeDigestAskAgain = (
  resources: Resources,
  { store }: Pick<OwnStore, 'store'>,
  { now }: { readonly now: () => Date },
): AskAgain => {
  const ask = once(async () => {
    const contexts = new Map<string, RunContext>()
    const { answer, keepQuestion, forget } = await makeAnswering(resources, {
      ...{ model: null, kept: 'in-store' },
      contextOf: questionId => contexts.get(questionId) ?? null,
    })
    return makeAskAgain({
      answer,
      storeQuestion: async (question, { digest, paidBy }) => {
        await keepQuestion(question)
        contexts.set(question.id, { ...digestRunContext(digest, paidBy), questionId: question.id })
      },
      forget: async questionId => {
        contexts.delete(questionId)
        await forget(questionId)
      },
      findUnderstanding: async id =>
        (await store.repositories.questionContexts.find(id))?.understanding ?? null,
      openDatabase: (name, options) => resources.openDatabase(name, options),
      readRelativeSql: makeReadRelativeSql(now, daysOfPhrase),
      newId: randomUUID,
      now,
    })
  })
  return async (question, given) => (await ask())(question, given)
}
