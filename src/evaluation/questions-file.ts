import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { QuerentError } from '../domain/errors.ts'

/** How many bad lines are listed; the rest is only counted. */
const MAX_NAMED = 20

/** Reads a questions file (JSON lines, or one JSON list as BIRD and Spider publish). Throws `QuerentError('bad-arguments')` that names each bad line by number. */
export const readQuestionsFile = async (path: string): Promise<QuestionLine[]> => {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new QuerentError('bad-arguments', `Cannot read the questions file ${path}. Check the path.`, {
      cause,
    })
  })
  return parseQuestions(text, path)
}

/** Parses the text of a questions file; blank lines are skipped. `name` is for error messages. */
export const parseQuestions = (text: string, name: string): QuestionLine[] => {
  const lines: QuestionLine[] = []
  const problems: string[] = []
  const lineOf = new Map<string, number>()
  for (const [index, written] of linesOf(text.replace(/^\uFEFF/, '')).entries()) {
    if (written.trim() === '') continue
    const number = index + 1
    const parsed = parseLine(written)
    if (typeof parsed === 'string') {
      problems.push(`line ${number}: ${parsed}`)
      continue
    }
    const earlier = lineOf.get(parsed.id)
    if (earlier !== undefined)
      problems.push(`line ${number}: the id “${parsed.id}” is already on line ${earlier}`)
    lineOf.set(parsed.id, number)
    lines.push(parsed)
  }
  if (problems.length > 0) throw new QuerentError('bad-arguments', formatProblems(name, problems))
  return lines
}

/** A list as lines with one question each. Spider's have no ids, so their positions are used. */
const linesOf = (text: string): readonly string[] => {
  if (!text.trimStart().startsWith('[')) return text.split('\n')
  try {
    const list: unknown[] = JSON.parse(text)
    return list.map((question, index) =>
      JSON.stringify(
        typeof question === 'object' && question !== null && !('id' in question || 'question_id' in question)
          ? { id: index, ...question }
          : question,
      ),
    )
  } catch {
    return ['not a JSON list']
  }
}

/** The lines to ask: those that are not excluded, the first `limit` of them. */
export const selectUsable = (
  lines: readonly QuestionLine[],
  limit = Number.POSITIVE_INFINITY,
): QuestionLine[] => lines.filter(line => line.excluded === null).slice(0, limit)

/** The line, or what is wrong with it. */
const parseLine = (written: string): QuestionLine | string => {
  let data: unknown
  try {
    data = JSON.parse(written)
  } catch {
    return 'not JSON'
  }
  const parsed = questionLineSchema.safeParse(data)
  if (parsed.success) return parsed.data
  return parsed.error.issues
    .map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '))
    .join('; ')
}

const formatProblems = (name: string, problems: readonly string[]): string => {
  const named = problems.slice(0, MAX_NAMED).map(problem => `  ${problem}`)
  const rest = problems.length - named.length
  const more = rest > 0 ? [`  and ${rest} more`] : []
  return [`Correct these lines of ${name}:`, ...named, ...more].join('\n')
}

const emptyAsUndefined = z
  .string()
  .nullish()
  .transform(text => text ?? '')

/** Renames the keys of BIRD and Spider; our own keys win. */
const normalizeKeys = (line: unknown): unknown => {
  if (typeof line !== 'object' || line === null) return line
  const { question_id: id, SQL, query, hardness, ...rest } = line as Readonly<Record<string, unknown>>
  const own = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  return {
    ...(id === undefined ? {} : { id }),
    ...(SQL === undefined && query === undefined ? {} : { gold: SQL ?? query }),
    ...(hardness === undefined ? {} : { difficulty: hardness }),
    ...own,
  }
}

/**
 * One line of a questions file. `id`, `db_id`, `question` and `gold` are needed; `gold` only where the question is
 * answerable. `alternatives` are other right statements. A line with `excluded` (the reason) is skipped.
 */
const normalizedLine = z
  .object({
    id: z.union([z.string().min(1), z.number().transform(String)]),
    db_id: z.string().min(1),
    question: z.string().min(1),
    gold: z
      .string()
      .min(1)
      .nullish()
      .transform(text => text ?? null),
    dialect: z
      .string()
      .nullish()
      .transform(text => text ?? null),
    excluded: z
      .union([z.string(), z.boolean()])
      .nullish()
      .transform(reason => (reason === true ? 'excluded' : reason || null)),
    alternatives: z
      .array(z.string())
      .nullish()
      .transform(golds => golds ?? []),
    answerable: z
      .boolean()
      .nullish()
      .transform(answerable => answerable ?? true),
    /** Earlier questions of its thread, oldest first: the line is a follow-up. */
    after: z
      .array(z.string().min(1))
      .nullish()
      .transform(questions => questions ?? []),
    evidence: emptyAsUndefined,
    knowledge: emptyAsUndefined,
    kind: emptyAsUndefined,
    /** `contains`: the shown answer may have more columns than the gold. */
    match: z.enum(['exact', 'contains']).default('exact'),
    /** Any word of the file; null if it is derived from the gold. */
    difficulty: z
      .string()
      .nullish()
      .transform(text => text || null),
  })
  .refine(line => line.gold !== null || !line.answerable || line.excluded !== null, {
    path: ['gold'],
    message: 'missing; it may be left out only if the line has "answerable": false',
  })

/** Reads a line, also one of BIRD's or Spider's own. */
const questionLineSchema = z.preprocess(normalizeKeys, normalizedLine)

/** One line of a questions file, with what was left out filled in. */
export type QuestionLine = z.output<typeof normalizedLine>
