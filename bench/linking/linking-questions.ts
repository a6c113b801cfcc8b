import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makeFindValues } from '../../graphs/answer/nodes/find-values.ts'
import type { State } from '../../graphs/answer/state.ts'
import { makeGuard } from '../../src/databases/guard/guard.ts'
import { openDatabase } from '../../src/databases/open-database.ts'
import type { Catalog } from '../../src/domain/catalog.ts'
import type { Database } from '../../src/domain/database.ts'
import { QuerentError } from '../../src/domain/errors.ts'
import { silentAudit } from '../../src/domain/operations/audit.ts'
import type { Understanding, ValueMatch } from '../../src/domain/question-context.ts'
import { readQuestionsFile, selectUsable } from '../../src/evaluation/questions-file.ts'
import { understandQuestion } from '../../src/parser/understand/understand-question.ts'
import { makeMemoryRunStore } from '../../src/store/in-memory.ts'
import { type GoldColumns, goldColumns } from './gold-columns.ts'

/** A question with all that a linker is given, and what its gold reads. */
export interface LinkingQuestion {
  readonly id: string
  readonly database: string
  readonly question: string
  readonly understanding: Understanding
  readonly catalog: Catalog
  readonly matches: readonly ValueMatch[]
  readonly gold: GoldColumns
}

export interface LinkingQuestions {
  readonly questions: readonly LinkingQuestion[]
  /** Golds whose tables and columns cannot be told, by the ids of their questions. */
  readonly unresolved: readonly string[]
}

/** The day says nothing for linking, but a question is always asked on one. */
const clock = { now: () => new Date('2026-11-20T12:00:00Z'), timeZone: 'UTC' }

const limits = { timeoutMs: 30_000, maxRows: 1000, maxBytes: 1_000_000 }

/** Reads a questions file and opens each of its databases once, out of `folder`; indexes are kept in `cacheFolder`. */
export const readLinkingQuestions = async (input: {
  readonly file: string
  readonly folder: string
  readonly cacheFolder: string
  readonly onProgress: (done: number, total: number) => void
}): Promise<LinkingQuestions> => {
  const lines = selectUsable(await readQuestionsFile(input.file)).filter(line => line.gold !== null)
  const questions: LinkingQuestion[] = []
  const unresolved: string[] = []
  let done = 0
  for (const [database, asked] of Map.groupBy(lines, line => line.db_id)) {
    const reference = { dialect: 'sqlite', name: database, location: fileOf(input.folder, database) } as const
    const { cacheFolder } = input
    const opened = await openDatabase(reference, {
      audit: silentAudit,
      guard: makeGuard(),
      limits,
      cacheFolder,
    })
    const { catalog } = opened.database
    for (const { id, question, gold } of asked) {
      const read = goldColumns(gold ?? '', catalog)
      if (read === null) unresolved.push(id)
      else {
        const matches = await matchesOf(id, question, opened.database)
        questions.push({
          id,
          database,
          question,
          understanding: understandQuestion(question, clock),
          catalog,
          matches,
          gold: read,
        })
      }
      done += 1
      input.onProgress(done, lines.length)
    }
    await opened.close()
  }
  return { questions, unresolved }
}

/** What the graph's own step finds, so that ranking learns from what it will be given. */
const matchesOf = async (id: string, text: string, database: Database): Promise<readonly ValueMatch[]> => {
  const runStore = makeMemoryRunStore()
  const understanding = understandQuestion(text, clock)
  await runStore.saveContext(id, { understanding, matches: [], linked: { tables: [] } })
  const findValues = makeFindValues({
    database: async () => database,
    understanding: {},
    drafting: { mode: 'adaptive' },
    agents: null,
    storing: { runStore },
  })
  const question = {
    id,
    text,
    database: database.name,
    askedAt: clock.now().toISOString(),
    timeZone: clock.timeZone,
  }
  // The step reads nothing else of the state.
  await findValues({ question } as State, {})
  return (await runStore.loadContext(id)).matches
}

const fileOf = (folder: string, id: string): string => {
  const files = [join(folder, `${id}.sqlite`), join(folder, id, `${id}.sqlite`)].map(file => resolve(file))
  const found = files.find(file => existsSync(file))
  if (!found) throw new QuerentError('bad-arguments', `No database ${id}: neither ${files.join(' nor ')}.`)
  return found
}
