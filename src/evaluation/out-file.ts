import { appendFile, readFile, truncate } from 'node:fs/promises'
import { QuerentError } from '../core/errors.ts'
import type { EvaluatedQuestion } from './evaluated-question.ts'
import { evaluatedQuestionSchema } from './evaluated-question.ts'

/** The results of an evaluation on disk, one JSON line a question. */
export interface OutFile {
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
