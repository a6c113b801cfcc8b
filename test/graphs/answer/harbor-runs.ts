import { randomUUID } from 'node:crypto'
import { MemorySaver } from '@langchain/langgraph-checkpoint'
import { makeAnswerRuns } from '../../../graphs/answer/answer-runs.ts'
import { findClarification } from '../../../src/clarification/find-clarification.ts'
import { widenSchema } from '../../../src/databases/schema-linking/link-schema.ts'
import type { Draft, DraftPath } from '../../../src/domain/candidate.ts'
import { noModelUsage } from '../../../src/domain/operations/usage.ts'
import type { Question } from '../../../src/domain/question.ts'
import { makeMemoryResults, makeMemoryRunStore } from '../../../src/store/in-memory.ts'
import { type AnswerParts, answerDeps } from '../../helpers/answer-deps.ts'
import { selectionParts } from '../../helpers/selection-parts.ts'
import { openSqliteDatabase } from '../open-sqlite-database.ts'

/** A draft of the parser unless said otherwise. */
export const draft = (sql: string, given: Partial<Draft> = {}): Draft => ({
  sql,
  lineage: 'semantic-parser',
  prior: 0.6,
  decisions: [],
  assumptions: [],
  unused: [],
  ...given,
})

/** A path that gives the drafts a test wrote, by the words of the question. */
export const pathOf = (
  drafts: (question: string) => Draft[],
  name: DraftPath['name'] = 'semantic-parser',
): DraftPath => ({
  name,
  cost: name === 'semantic-parser' ? 'free' : 'model',
  samples: 1,
  draft: async ({ understanding }) => ({
    kind: 'statements',
    drafts: drafts(understanding.text),
    usage: noModelUsage,
  }),
})

const home = { phrase: 'port', kind: 'column', choice: 'boats.home_port', label: 'home port' } as const

const build = { phrase: 'port', kind: 'column', choice: 'boats.build_port', label: 'build port' } as const

/** Boats by port in both readings of the word. */
export const byPort = [
  draft('select home_port, count(*) from boats group by 1', { prior: 0.4, decisions: [home] }),
  draft('select build_port, count(*) from boats group by 1 having count(*) > 1', {
    prior: 0.35,
    decisions: [build],
  }),
]

export const asked = (text: string): Question => {
  const id = randomUUID()
  return {
    id,
    key: id,
    text,
    database: 'harbour',
    askedAt: new Date('2026-03-02T10:00:00Z'),
    timeZone: 'UTC',
    askedBy: null,
  }
}

/** The graph over a harbor of three boats, for the test file that calls this; what a test gives replaces its parts. */
export const openHarborRuns = () => {
  const database = openSqliteDatabase(
    'harbour',
    `
  create table boats (id integer primary key, name text, home_port text, build_port text, length real);
  insert into boats values (1, 'Alba', 'Kiel', 'Gdansk', 9.5), (2, 'Brisa', 'Kiel', 'Kiel', 12), (3, 'Cyan', 'Bergen', 'Kiel', 7);
`,
  )
  return (given: Partial<AnswerParts>) => {
    const results = makeMemoryResults()
    const workbench = makeMemoryRunStore()
    const checkpointer = new MemorySaver()
    const open = () =>
      makeAnswerRuns(
        answerDeps({
          database: async () => database(),
          understand: (text, clock) => ({
            kind: text === '' ? 'empty' : 'data',
            text,
            spans: [],
            today: clock.now().toISOString().slice(0, 10),
            timeZone: clock.timeZone,
          }),
          linkSchema: async () => ({ tables: [{ table: 'boats', keep: 'all' }] }),
          widenSchema,
          paths: [pathOf(() => [draft('select count(*) as boats from boats')])],
          fixers: [],
          ...selectionParts,
          findClarification,
          runStore: workbench,
          saveResult: results.save,
          loadResult: results.load,
          loadHeads: results.heads,
          thresholds: { answer: 0.5, ask: 0.2 },
          ...given,
        }),
        checkpointer,
      )
    /** The same in a new process: what was stored is there, what was remembered is gone. */
    const restarted = () => ({ runs: open() })
    return { runs: open(), restarted, results, checkpointer }
  }
}
