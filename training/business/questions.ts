import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'

const questionSchema = z
  .strictObject({
    id: z.string().min(1),
    /** What kind of question it is; figures are split by it. */
    kind: z.string().default('other'),
    question: z.string().min(1),
    gold: z.string().min(1).optional(),
    alternatives: z.array(z.string()).default([]),
    answerable: z.boolean().default(true),
    unread: z.boolean().default(false),
  })
  .refine(({ gold, answerable }) => gold !== undefined || !answerable, 'an answerable question needs a gold')

const fileSchema = z.array(questionSchema)

const followUpSchema = z.strictObject({
  id: z.string().min(1),
  /** What was asked before. */
  first: z.string().min(1),
  /** What is said about its answer. */
  // biome-ignore lint/suspicious/noThenProperty: the name of the field in the files; nothing awaits a schema
  then: z.string().min(1),
  gold: z.string().min(1),
  alternatives: z.array(z.string()).default([]),
})

/**
 * What may be done with a question: looked at (`read`), or only counted: with the others of its database (`unread`), or
 * apart, since whoever asked it knew neither them nor the code (`fresh`).
 */
export type Part = 'read' | 'unread' | 'fresh'

/** A line of the questions file that `eval questions` reads. Only the `read` ones are ever printed. */
export interface BusinessLine {
  readonly id: string
  readonly db_id: string
  readonly question: string
  /** Earlier questions of its thread. */
  readonly after: readonly string[]
  readonly gold: string | null
  readonly alternatives: readonly string[]
  readonly answerable: boolean
  readonly kind: string
  readonly match: 'contains'
  readonly part: Part
}

/** A unit that an answer may or may not have applied: cents or euros, a fraction or percent. */
const units = [
  { mark: '{/100}', applied: ' / 100.0' },
  { mark: '{*100}', applied: ' * 100.0' },
] as const

/** Each statement once with its unit applied and once without. */
export const inBothUnits = (sql: string): readonly string[] => {
  if (!units.some(({ mark }) => sql.includes(mark))) return [sql]
  const written = (isApplied: boolean): string =>
    units.reduce((text, { mark, applied }) => text.replaceAll(mark, isApplied ? applied : ''), sql)
  return [written(true), written(false)]
}

/** The questions of one file. `source` is where their ids begin, `database` what they are asked of. */
export const toQuestionLines = (
  source: string,
  database: string,
  file: unknown,
  part: Part = 'read',
): readonly BusinessLine[] =>
  fileSchema.parse(file).map(({ id, kind, question, gold, alternatives, answerable, unread }) => {
    const golds = [...(gold === undefined ? [] : [gold]), ...alternatives].flatMap(inBothUnits)
    return {
      id: `${source}/${id}`,
      db_id: database,
      question,
      after: [],
      gold: golds[0] ?? null,
      alternatives: golds.slice(1),
      answerable,
      kind,
      match: 'contains',
      part: unread ? 'unread' : part,
    }
  })

const partFiles = [
  ['questions.yml', 'read'],
  ['unread.yml', 'unread'],
  ['fresh.yml', 'fresh'],
] as const

/** The questions about one database of fixtures/business: those that may be looked at, and those that may not. */
export const databaseQuestions = (fixtures: string, name: string): readonly BusinessLine[] =>
  partFiles.flatMap(([file, part]) =>
    toQuestionLines(
      name,
      name,
      existsSync(join(fixtures, name, file)) ? parse(readFileSync(join(fixtures, name, file), 'utf8')) : [],
      part,
    ),
  )

/** The kind of all lines that follow another question. */
export const FOLLOW_UP = 'follow-up'

/** The follow-ups about one database of fixtures/business: those that may be looked at, and those that may not. */
export const databaseFollowUps = (fixtures: string, name: string): readonly BusinessLine[] =>
  (['follow-ups.yml', 'unread-follow-ups.yml'] as const).flatMap(file =>
    z
      .array(followUpSchema)
      .parse(parse(readFileSync(join(fixtures, name, file), 'utf8')))
      .map(({ id, first, then, gold, alternatives }) => {
        const golds = [gold, ...alternatives].flatMap(inBothUnits)
        return {
          id: `${name}/${FOLLOW_UP}/${id}`,
          db_id: name,
          question: then,
          after: [first],
          gold: golds[0] ?? null,
          alternatives: golds.slice(1),
          answerable: true,
          kind: FOLLOW_UP,
          match: 'contains',
          part: file === 'unread-follow-ups.yml' ? ('unread' as const) : ('read' as const),
        }
      }),
  )
