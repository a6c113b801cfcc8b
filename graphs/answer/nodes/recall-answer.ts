import { createHash } from 'node:crypto'
import type { Database } from '../../../src/domain/database.ts'
import type { Understanding } from '../../../src/domain/question-context.ts'
import type { AnswerDeps, ChoosingDeps, NodeRun, OpenDatabase, StoringDeps } from '../deps.ts'
import { requestsNewestRows } from '../expensive/newest-rows.ts'
import type { State, Update } from '../state.ts'

interface RecallDeps {
  readonly strategy: AnswerDeps['strategy']
  readonly database: OpenDatabase
  readonly choosing: Pick<ChoosingDeps, 'selector'>
  readonly storing: Pick<StoringDeps, 'runStore' | 'answerReuse' | 'listVerifiedIds'>
}

/**
 * Looks whether the same was answered a while ago, for somebody who may see the same: then that is the answer, and
 * neither a model nor the database is asked. SQL that the guard would refuse by now is not shown again. A change of an
 * answer is not looked for: it depends on how the answer before it was read, which its words do not tell. Nor is one over
 * the newest rows alone, which is read as the whole question is.
 */
export const makeRecallAnswer =
  (deps: RecallDeps) =>
  async (state: State, run: NodeRun): Promise<Update> => {
    const { question } = state
    const { answerReuse, runStore } = deps.storing
    if (!answerReuse) return {}
    const { understanding } = await runStore.loadContext(question.id)
    if (understanding.followUp || requestsNewestRows(understanding, question)) return {}
    const database = await deps.database(question.database, run)
    const { key, answer } = await answerReuse.find({
      questionId: question.id,
      database: question.database,
      schemaVersion: await knownVersion(database, deps.storing),
      question: normalizeQuestion(understanding),
      selector: selectorOf(deps.strategy, (await deps.choosing.selector?.champion())?.version ?? null),
    })
    if (!answer || database.guard(answer.outcome.sql).verdict !== 'allow') return { cacheKey: key }
    const { show } = understanding
    await runStore.saveContext(question.id, { ...answer.context, understanding })
    await runStore.saveCandidates(question.id, answer.candidates)
    return {
      candidateIds: answer.candidates.map(({ id }) => id),
      groups: answer.groups,
      outcome: { ...answer.outcome, ...(show && { show }) },
    }
  }

/** An answer of one strategy is none of another's. */
const selectorOf = (strategy: AnswerDeps['strategy'], version: string | null): string | null =>
  strategy === 'adaptive' ? version : `${strategy} ${version ?? ''}`

/**
 * A question as one text that is the same for all who ask the same: spaces, case and what ends a sentence do not count,
 * while the days that its periods mean do. Words written in capitals stay as they are: IT is not it, and US is not us.
 */
export const normalizeQuestion = ({ text, spans, today, timeZone }: Understanding): string => {
  const words = text
    .normalize('NFKC')
    .split(/\s+/)
    .filter(word => word !== '')
    .map((word, i) => (isCapitals(word, i === 0 ? 2 : 1) ? word : word.toLowerCase()))
    .join(' ')
    .replace(/[\s?!.]+$/, '')
  return JSON.stringify([words, spans.map(({ from, until }) => [from, until]), today, timeZone])
}

/** A single capital letter may begin a sentence; anywhere else it is a name, as in "class A". */
const isCapitals = (word: string, atLeast: number): boolean => {
  const letters = word.replaceAll(/[^\p{L}]/gu, '')
  return letters.length >= atLeast && letters === letters.toUpperCase()
}

/** A fingerprint of a database with the verified queries that answer questions about it. */
export const knownVersion = async (
  database: Database,
  { listVerifiedIds }: Pick<StoringDeps, 'listVerifiedIds'>,
): Promise<string> => [schemaVersion(database), ...((await listVerifiedIds?.(database.name)) ?? [])].join()

/** A database is the same object until something new is known about it. */
const versions = new WeakMap<Database, string>()

/**
 * A fingerprint of all that an answer depends on in how a database is known: tables and columns, what of them is hidden
 * or masked, keys, what the team knows, accepted rules included, and the semantic layer. Not of its rows.
 */
export const schemaVersion = (database: Database): string => {
  const known = versions.get(database)
  if (known !== undefined) return known
  const { catalog, knowledge, dialect, semanticLayer } = database
  const tables = catalog.tables.map(({ schema, name, comment, synonyms, columns }) => [
    ...[schema, name, comment, synonyms],
    columns.map(({ name, type, comment, synonyms, masked }) => [name, type, comment, synonyms, masked]),
  ])
  const version = createHash('sha256')
    .update(
      JSON.stringify([dialect, catalog.fingerprint, tables, catalog.foreignKeys, knowledge, semanticLayer]),
    )
    .digest('base64url')
  versions.set(database, version)
  return version
}
