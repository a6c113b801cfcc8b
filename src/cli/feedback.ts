import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { renderVotedPairs } from '../bootstrap/voted-pairs.ts'
import { weighFeedbackFor } from '../bootstrap/weigh-feedback.ts'
import { QuerentError } from '../domain/errors.ts'
import { exportPairs, toOpenAiPreferences } from '../ranking/learning/export-pairs.ts'
import { latestPerPerson } from '../ranking/learning/signals.ts'
import type { CommandContext } from './command-context.ts'
import { feedbackCopy } from './copy/feedback.ts'
import { notOneOf, unwritableFile } from './copy/phrases.ts'
import { writeJson } from './terminal.ts'

interface FeedbackExportOptions {
  readonly format?: string
  readonly out?: string
  readonly json?: boolean
}

const formats = ['pairs', 'judge', 'openai'] as const

/**
 * `feedback export`: the feedback of people as pairs of statements, the better one marked. Writes JSON lines to a file or
 * to standard output. With `--json` it writes one array instead, or with `--out` a summary.
 */
export const runFeedbackExport = async (
  options: FeedbackExportOptions,
  context: CommandContext,
): Promise<number> => {
  const format = readFormat(options.format)
  const { resources, terminal } = context
  const { store } = await resources.ownStore()
  const feedback = await store.repositories.feedback.list()
  const { statements } = weighFeedbackFor(context.config)(feedback)
  // Only pairs come with their weights.
  const pairs = exportPairs(feedback, format === 'pairs' ? statements : latestPerPerson(statements))
  const lines = await linesOf(pairs, format, context)
  const text = lines.map(line => `${JSON.stringify(line)}\n`).join('')
  context.clearProgress()
  if (options.out === undefined) {
    if (options.json) writeJson(terminal.out, lines)
    else terminal.out.write(text)
    if (lines.length === 0) terminal.err.write(`${feedbackCopy.nothing}\n`)
    return 0
  }
  const file = resolve(terminal.folder, options.out)
  await writeFile(file, text).catch((cause: unknown) => {
    throw new QuerentError('bad-arguments', unwritableFile(file), { cause })
  })
  if (options.json) writeJson(terminal.out, { file, format, lines: lines.length, pairs: pairs.length })
  else terminal.out.write(`${feedbackCopy.written(lines.length, pairs.length, file)}\n`)
  return 0
}

const linesOf = async (
  pairs: ReturnType<typeof exportPairs>,
  format: (typeof formats)[number],
  context: CommandContext,
): Promise<readonly unknown[]> => {
  switch (format) {
    case 'pairs':
      return pairs
    case 'openai':
      return pairs.flatMap(toOpenAiPreferences)
    case 'judge': {
      const { lines, unopened } = await renderVotedPairs(pairs, context)
      if (unopened.length > 0) context.terminal.err.write(`${feedbackCopy.unopened(unopened)}\n`)
      return lines
    }
    default: {
      const never: never = format
      return never
    }
  }
}

const readFormat = (text = 'pairs'): (typeof formats)[number] => {
  const format = formats.find(format => format === text)
  if (format !== undefined) return format
  throw new QuerentError('bad-arguments', notOneOf('--format', formats, text))
}
