import { appendFile, readFile, truncate } from 'node:fs/promises'
import { z } from 'zod'
import { QuerentError } from '../domain/errors.ts'

/** The results of an evaluation on disk, one JSON line a question. */
interface OutFile {
  /** What an earlier run left there. */
  readonly done: readonly EvaluatedQuestion[]
  append(evaluated: EvaluatedQuestion): Promise<void>
}

/**
 * Opens the `--out` file of an evaluation, to go on where it stopped. `run` describes what is evaluated (model,
 * strategy, questions): results of another run are not mixed in but refused with `bad-arguments`. A last line
 * that was cut off in the middle is removed.
 */
export const openOutFile = async (path: string, run: string): Promise<OutFile> => {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole !== text) await truncate(path, Buffer.byteLength(whole))
  const lines = parseEvaluated(whole, path)
  const stranger = lines.find(line => line.run !== run)
  if (stranger) {
    const message = `${path} holds results of another run (${stranger.run ?? 'unknown'}, not ${run}). Name another file with --out, or remove this one.`
    throw new QuerentError('bad-arguments', message)
  }
  return {
    done: lines.map(({ evaluated }) => evaluated),
    append: evaluated => appendFile(path, `${JSON.stringify({ ...evaluated, run })}\n`),
  }
}

/** Reads the results of a finished or stopped run. Throws `QuerentError('bad-arguments')` that names the bad line. */
export const readOutFile = async (path: string): Promise<EvaluatedQuestion[]> => {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new QuerentError('bad-arguments', `Cannot read the results file ${path}; check the path.`, {
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
      const message = `${path}, line ${index + 1}: not a result of "eval questions".`
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
  /** The line's own, else as Spider grades the gold; null where neither is to be had, as in older files. */
  difficulty: z.string().nullable().default(null),
  /** Reward for speed, squared root taken (R-VES); null where it was not measured. */
  rves: z.number().nullable().default(null),
  modelCalls: z.number(),
  promptTokens: z.number(),
  completionTokens: z.number(),
  /** Why the answer could not be run, or why the gold could not (then nothing could have been right). */
  error: z.string().nullable(),
  goldError: z.string().nullable(),
})

/** One question, asked and scored. */
export type EvaluatedQuestion = z.output<typeof evaluatedQuestionSchema>
