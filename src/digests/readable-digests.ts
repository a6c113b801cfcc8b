import {
  type FindReader,
  hiddenValue,
  type SeesValue,
  seesEveryValue,
  seesNoValue,
} from '../domain/access/sees-value.ts'
import { formatDatabaseRef, parseDatabaseRef } from '../domain/database.ts'
import type {
  Digest,
  DigestDelivery,
  DigestQuestion,
  DigestRepair,
  RelativeSql,
} from '../domain/digests/digest.ts'
import type { DigestRefusal, DigestUseCases } from '../domain/digests/use-cases.ts'
import type { Dialect } from '../domain/sql.ts'
import { hideLiterals, hideValues } from '../sql/rewrite/hide-values.ts'

/** How a person reads a digest. */
export type ReadDigest = (digest: Digest, person: string) => Promise<Digest>

/** What is needed to know what a person may read. */
interface ReadingDeps {
  readonly findReader: FindReader
  /** Null for a database that is not known any more. */
  readonly dialectOf: (database: string) => Dialect | null
}

/**
 * Shows digests to a person as they may read them: its words and SQL came from answers, with values of the rows of who
 * asked. Under other rights they are `...`, also for an admin, and for an owner whose rights have changed.
 */
export const makeReadDigest =
  ({ findReader, dialectOf }: ReadingDeps): ReadDigest =>
  async (digest, person) => {
    const readers = await Promise.all(
      digest.questions.map(question => seesOf(findReader, digest, question, person)),
    )
    if (readers.every(sees => sees === seesEveryValue)) return digest
    const hide = (sql: string, at: number): string => {
      const dialect = dialectOf(digest.questions[at]?.database ?? '')
      return dialect === null ? hiddenValue : hideLiterals(sql, dialect, readers[at] ?? seesNoValue)
    }
    const wordsOf = (words: string, at: number): string => {
      const { database = '', statement } = digest.questions[at] ?? {}
      const dialect = dialectOf(database)
      if (dialect === null || statement === undefined) return hiddenValue
      return hideValues({ sql: statement.sql, dialect, words }, readers[at] ?? seesNoValue).words
    }
    const { pause } = digest
    return {
      ...digest,
      title: digest.questions.reduce((title, _, at) => wordsOf(title, at), digest.title),
      questions: digest.questions.map((question, at) => ({
        ...question,
        text: wordsOf(question.text, at),
        statement: { ...question.statement, sql: hide(question.statement.sql, at) },
      })),
      pause: pause && 'reason' in pause ? { ...pause, reason: hiddenValue } : pause,
      repair: digest.repair && hideRepair(digest, digest.repair, hide),
    }
  }

/** The owner of a digest reads what was stored before rights were stored with it. */
const seesOf = async (
  findReader: FindReader,
  { team, owner }: Pick<Digest, 'team' | 'owner'>,
  { database, rights }: Pick<DigestQuestion, 'database' | 'rights'>,
  person: string,
): Promise<SeesValue> => {
  if (rights === undefined && person === owner) return seesEveryValue
  const writtenFor = formatDatabaseRef({ ...parseDatabaseRef(database), rights: rights ?? null })
  return findReader({ person, team, writtenFor })
}

const hideRepair = (
  { questions }: Digest,
  repair: DigestRepair,
  hide: (sql: string, at: number) => string,
): DigestRepair => {
  const at = questions.findIndex(({ id }) => id === repair.questionId)
  const hidden = (statement: RelativeSql): RelativeSql => ({ ...statement, sql: hide(statement.sql, at) })
  const { statement, other } = repair
  return {
    ...repair,
    reason: hiddenValue,
    statement: statement && hidden(statement),
    says: [],
    ...(other && { other: { statement: hidden(other.statement), says: [] } }),
  }
}

/** Delivers digests, with notices as the owner may read the digest now. */
export const notifyAsReadable = (delivery: DigestDelivery, read: ReadDigest): DigestDelivery => ({
  ...delivery,
  notifyOwner: async given => {
    const { digest, notice } = given
    const repair = notice.kind === 'repair' ? notice.repair : digest.repair
    const readable = await read({ ...digest, repair }, digest.owner)
    return delivery.notifyOwner({
      ...given,
      digest: readable,
      notice: notice.kind === 'repair' && readable.repair ? { ...notice, repair: readable.repair } : notice,
    })
  },
})

/** Whether a person may own a digest: it is posted in its own words, which must name no value that they do not see. */
const isReadableFor = async (
  { findReader, dialectOf }: ReadingDeps,
  digest: Digest,
  person: string,
): Promise<boolean> => {
  const open = await Promise.all(
    digest.questions.map(async question => {
      const sees = await seesOf(findReader, digest, question, person)
      const dialect = dialectOf(question.database)
      const { text: words, statement } = question
      return (
        sees === seesEveryValue ||
        (dialect !== null && hideValues({ sql: statement.sql, dialect, words }, sees).isOpen)
      )
    }),
  )
  return open.every(one => one)
}

const notForNewOwner: DigestRefusal = {
  status: 'unfit',
  field: 'person',
  reason: 'Its questions name values of rows that they may not see. They can ask the questions themselves.',
}

/** The use cases of digests, with every digest as the person may read it. */
export const makeReadableDigests = (digests: DigestUseCases, deps: ReadingDeps): DigestUseCases => {
  const read = makeReadDigest(deps)
  const changing =
    <Given extends { readonly person: string }, Done extends { readonly status: string }>(
      change: (given: Given) => Promise<Done>,
    ) =>
    async (given: Given): Promise<Done> => {
      const done = await change(given)
      return 'digest' in done ? { ...done, digest: await read(done.digest as Digest, given.person) } : done
    }
  return {
    ...digests,
    schedule: changing(digests.schedule),
    addQuestion: changing(digests.addQuestion),
    removeQuestion: changing(digests.removeQuestion),
    edit: changing(digests.edit),
    pause: changing(digests.pause),
    resume: changing(digests.resume),
    remove: changing(digests.remove),
    handOver: changing(async given => {
      const found = await digests.find(given)
      const isTheirs = found !== null && !('status' in found)
      return isTheirs && !(await isReadableFor(deps, found, given.to))
        ? notForNewOwner
        : digests.handOver(given)
    }),
    runNow: changing(digests.runNow),
    decideRepair: changing(digests.decideRepair),
    find: async given => {
      const found = await digests.find(given)
      return found === null || 'status' in found ? found : read(found, given.person)
    },
    findStatements: async given => {
      const found = await digests.find(given)
      if (found === null || 'status' in found) return null
      // If anything is hidden from them, the queries are shown as they were saved, without values.
      return (await read(found, given.person)) === found ? digests.findStatements(given) : null
    },
    list: async given => {
      const { digests: listed, total } = await digests.list(given)
      return { digests: await Promise.all(listed.map(one => read(one, given.person))), total }
    },
  }
}
