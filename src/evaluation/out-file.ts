import { appendFile, readFile, truncate } from 'node:fs/promises'
import { z } from 'zod'
import { QuerentError } from '../domain/errors.ts'

/** The results of an evaluation on disk, one JSON line per question. */
interface OutFile {
  /** The results of an earlier run. */
  readonly done: readonly EvaluatedQuestion[]
  append(evaluated: EvaluatedQuestion): Promise<void>
}

/**
 * Opens the `--out` file of an evaluation to continue it. `run` describes what is evaluated (model, strategy, questions).
 * Throws `bad-arguments` for the results of another run. An incomplete last line is removed.
 */
export const openOutFile = async (path: string, run: string): Promise<OutFile> => {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole !== text) await truncate(path, Buffer.byteLength(whole))
  const lines = parseEvaluated(whole, path)
  const otherRun = lines.find(line => line.run !== run)
  if (otherRun) {
    const message = `${path} has the results of another run (${otherRun.run ?? 'unknown'}, not ${run}). Name another file with --out, or remove this one.`
    throw new QuerentError('bad-arguments', message)
  }
  return {
    done: lines.map(({ evaluated }) => evaluated),
    append: evaluated => appendFile(path, `${JSON.stringify({ ...evaluated, run })}\n`),
  }
}

/** Reads the results of a finished or stopped run. Throws `QuerentError('bad-arguments')` with the number of a bad line. */
export const readOutFile = async (path: string): Promise<EvaluatedQuestion[]> => {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new QuerentError('bad-arguments', `Cannot read the results file ${path}. Check the path.`, {
      cause,
    })
  })
  return parseEvaluated(text, path).map(({ evaluated }) => evaluated)
}

const parseEvaluated = (text: string, path: string): { evaluated: EvaluatedQuestion; run: string | null }[] =>
  text.split('\n').flatMap((written, index) => {
    if (written.trim() === '') return []
    try {
      const data: unknown = JSON.parse(written)
      const run: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, 'run') : null
      return [{ evaluated: evaluatedQuestionSchema.parse(data), run: typeof run === 'string' ? run : null }]
    } catch (cause) {
      const message = `${path}, line ${index + 1}: This is not a result of eval questions.`
      throw new QuerentError('bad-arguments', message, { cause })
    }
  })

/**
 * What one question scored: a line of `eval questions --out`. Scores are null for a question that cannot be
 * answered. `oracle`: one of the first candidates is right. `sql`: the answer's; null without an answer.
 */
const evaluatedQuestionSchema = z.object({
  id: z.string(),
  sql: z.string().nullable(),
  ex: z.boolean().nullable(),
  oracle: z.boolean().nullable(),
  outcome: z.enum(['answered', 'clarified', 'refused', 'failed']),
  confidence: z.number().nullable(),
  /** Time of asking alone; indexing the database and scoring are not in it. */
  milliseconds: z.number(),
  db_id: z.string(),
  answerable: z.boolean(),
  exAnyOrder: z.boolean().nullable(),
  softF1: z.number().nullable(),
  /** The difficulty of the line, or Spider's grade of the gold; null in older files. */
  difficulty: z.string().nullable().default(null),
  /** BIRD's R-VES, the square root of the reward for speed; null if it was not measured. */
  rves: z.number().nullable().default(null),
  /** What it cost; null if a model has no price, or in older files. */
  money: z.number().nullable().default(null),
  modelCalls: z.number(),
  promptTokens: z.number(),
  completionTokens: z.number(),
  /** Why the answer did not run. `goldError`: why the gold did not, so that no answer can be right. */
  error: z.string().nullable(),
  goldError: z.string().nullable(),
})

/** One question, asked and scored. */
export type EvaluatedQuestion = z.output<typeof evaluatedQuestionSchema>
