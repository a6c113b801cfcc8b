import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { QuerentError } from '../../domain/errors.ts'
import {
  summarizeTraining,
  type TrainingLine,
  type TrainingSummary,
} from '../../evaluation/training-pairs.ts'
import { unwritableFile } from '../copy/phrases.ts'

/** The file of `--pairs`: training data of a judge, as JSON lines. */
export interface PairsFile {
  append(lines: readonly TrainingLine[]): Promise<void>
  /** Of all that is in the file. */
  summary(): TrainingSummary
}

/**
 * Opens it. What an earlier run wrote about the questions of `done` is kept, everything else is written again. Throws
 * `bad-arguments` if it cannot be written, or has something else in it.
 */
export const openPairsFile = async (path: string, done: ReadonlySet<string>): Promise<PairsFile> => {
  const text = done.size === 0 ? '' : await readFile(path, 'utf8').catch(() => '')
  const lines = text
    .split('\n')
    .slice(0, -1)
    .map(line => readLine(line, path))
    .filter(({ questionId }) => done.has(questionId))
  await writeFile(path, lines.map(toText).join('')).catch((cause: unknown) => {
    throw new QuerentError('bad-arguments', unwritableFile(path), { cause })
  })
  return {
    append: async more => {
      lines.push(...more)
      await appendFile(path, more.map(toText).join(''))
    },
    summary: () => summarizeTraining(lines),
  }
}

const toText = (line: TrainingLine): string => `${JSON.stringify(line)}\n`

const readLine = (text: string, path: string): TrainingLine => {
  try {
    const line: TrainingLine = JSON.parse(text)
    if (typeof line.questionId === 'string' && Array.isArray(line.messages)) return line
  } catch {
    // Told below.
  }
  throw new QuerentError('bad-arguments', `${path} has lines that are no training pairs. Name another file.`)
}
