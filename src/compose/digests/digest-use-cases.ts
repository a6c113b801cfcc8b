import { randomUUID } from 'node:crypto'
import { takeSchemaSnapshot } from '../../../graphs/answer/renames/known-schema-of.ts'
import type { DigestDeps } from '../../app/digests/digest-deps.ts'
import { makeDigestUseCases } from '../../app/digests/make-digest-use-cases.ts'
import type { CheckRateLimit } from '../../app/questions/limit-rate.ts'
import type { Resources } from '../../compose.ts'
import type { AccessControl } from '../../core/access.ts'
import type { FindAnsweredQuestion } from '../../core/answered-question.ts'
import type { DigestUseCases } from '../../core/digest-use-cases.ts'
import type { SendJob } from '../../core/job.ts'
import { makeFindPhraseDays } from '../../digests/days-of-phrase.ts'
import { findingOfTable } from '../../digests/find-of-table.ts'
import { nextDue } from '../../digests/next-due.ts'
import { parseSchedule } from '../../digests/parse-schedule.ts'
import { parseDigestWords } from '../../digests/read-digest-words.ts'
import { understandQuestion } from '../../semantic-parser/understand/understand-question.ts'
import type { OwnStore } from '../store/open-own-store.ts'
import { makeReadRelativeSql } from './read-relative-at.ts'

/** What words of a period mean on a day, as everything around digests reads them. */
export const daysOfPhrase = makeFindPhraseDays(understandQuestion)

/** Everything that people do with digests, over the store. */
export const makeStoredDigestUseCases = (
  { openDatabase }: Pick<Resources, 'openDatabase'>,
  { store }: Pick<OwnStore, 'store'>,
  deps: {
    readonly access: Pick<AccessControl, 'mayAsk' | 'reachable'>
    readonly isAdmin: (person: string) => boolean
    /** Digests that there may be; null where there is no limit. */
    readonly most: DigestDeps['most']
    readonly findAnswered: FindAnsweredQuestion
    readonly sendJob: SendJob
    /** What people let run by clicks. */
    readonly limit: CheckRateLimit
    readonly now: () => Date
  },
): DigestUseCases => {
  const { digests, digestRuns, digestFindings, questionContexts: briefs } = store.repositories
  return makeDigestUseCases({
    ...deps,
    digests,
    lastByHand: (digestId, tx) => digestRuns.lastByHand(digestId, tx),
    findStatements: run => digestRuns.findStatements(run),
    loadResult: store.loadResult,
    findOfTable: findingOfTable,
    insertRun: (run, tx) => digestRuns.insert(run, tx),
    listFindings: (digestId, tx) => digestFindings.listOf(digestId, tx),
    removeFinding: (digestId, questionId, tx) => digestFindings.remove(digestId, questionId, tx),
    inTransaction: store.inTransaction,
    findUnderstanding: async questionId => (await briefs.find(questionId))?.understanding ?? null,
    openDatabase: name => openDatabase(name),
    parseSchedule,
    readWords: parseDigestWords,
    nextDue,
    knowSchema: takeSchemaSnapshot,
    readRelativeSql: makeReadRelativeSql(deps.now, daysOfPhrase),
    newId: randomUUID,
  })
}
