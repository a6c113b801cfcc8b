import type { LinkSchema } from '../../src/domain/question-context.ts'
import type { LinkingQuestion } from './linking-questions.ts'

/** How many columns a linker may keep of so many. */
export type Budget = (columns: number) => number

/** The budget of the bars: two fifths of the columns, and twelve at least. */
export const usualBudget: Budget = columns => Math.max(12, Math.floor(columns * 0.4))

/** Shares from 0 to 1 of golds that could be written from what was kept. */
export interface Recall {
  readonly questions: number
  /** All tables kept. */
  readonly tables: number
  /** All tables and all columns kept. */
  readonly columns: number
  /** Ids of the questions whose gold could not be written. */
  readonly missed: readonly string[]
}

/** Links every question under a budget of columns, join keys included, and holds what was kept to the gold. */
export const measureRecall = async (
  questions: readonly LinkingQuestion[],
  linkerOf: (question: LinkingQuestion) => LinkSchema,
  budget: Budget = usualBudget,
): Promise<Recall> => {
  let tables = 0
  const missed: string[] = []
  for (const question of questions) {
    const { kept, keptTables } = await keptFor(question, linkerOf(question), budget)
    const { gold } = question
    const hasTables = [...gold.tables].every(table => keptTables.has(table))
    if (hasTables) tables += 1
    if (!hasTables || ![...gold.columns].every(column => kept.has(column))) missed.push(question.id)
  }
  const all = Math.max(1, questions.length)
  return { questions: questions.length, tables: tables / all, columns: 1 - missed.length / all, missed }
}

const keptFor = async (
  { understanding, catalog, matches }: LinkingQuestion,
  link: LinkSchema,
  budget: Budget,
) => {
  const columns = budget(countColumns({ catalog }))
  const linked = await link({ understanding, catalog, matches, columns })
  const keeps = new Map(linked.tables.map(({ table, keep }) => [table, keep]))
  const shown = catalog.tables.filter(({ name }) => keeps.has(name))
  const kept = new Set(
    shown.flatMap(table => {
      const keep = keeps.get(table.name)
      return keep === 'all' ? table.columns : table.columns.filter(({ name }) => keep?.includes(name))
    }),
  )
  if (kept.size > columns) throw new Error(`${kept.size} columns were kept where ${columns} were allowed`)
  return { kept, keptTables: new Set(shown) }
}

/** All columns of the question's database. */
export const countColumns = ({ catalog }: Pick<LinkingQuestion, 'catalog'>): number =>
  catalog.tables.reduce((sum, table) => sum + table.columns.length, 0)
