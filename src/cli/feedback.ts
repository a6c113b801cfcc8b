import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { QuerentError } from '../domain/errors.ts'
import { exportPairs, toOpenAiPreferences } from '../ranking/learning/export-pairs.ts'
import type { CommandContext } from './command-context.ts'
import { writeJson } from './terminal.ts'

interface FeedbackExportOptions {
  readonly format?: string
  readonly out?: string
  readonly json?: boolean
}

const formats = ['pairs', 'openai'] as const

/**
 * `feedback export`: what people did about answers, as pairs of which one is better. JSON lines to a file or standard
 * output; with `--json` one array instead, or with a file what was written.
 */
export const runFeedbackExport = async (
  options: FeedbackExportOptions,
  context: CommandContext,
): Promise<number> => {
  const format = readFormat(options.format)
  const { resources, terminal } = context
  const { store } = await resources.ownStore()
  const pairs = exportPairs(await store.repositories.feedback.list())
  const lines: readonly unknown[] = format === 'pairs' ? pairs : pairs.flatMap(toOpenAiPreferences)
  const text = lines.map(line => `${JSON.stringify(line)}\n`).join('')
  context.clearProgress()
  if (options.out === undefined) {
    if (options.json) writeJson(terminal.out, lines)
    else terminal.out.write(text)
    if (lines.length === 0)
      terminal.err.write(
        'There is nothing to export yet: nobody has said of an answer which result is right.\n',
      )
    return 0
  }
  const file = resolve(terminal.folder, options.out)
  await writeFile(file, text).catch((cause: unknown) => {
    throw new QuerentError('bad-arguments', `cannot write ${options.out}; check the path`, { cause })
  })
  if (options.json) writeJson(terminal.out, { file, format, lines: lines.length, pairs: pairs.length })
  else terminal.out.write(`${lines.length} lines of ${pairs.length} pairs are in ${file}.\n`)
  return 0
}

const readFormat = (text = 'pairs'): (typeof formats)[number] => {
  const format = formats.find(format => format === text)
  if (format !== undefined) return format
  throw new QuerentError('bad-arguments', `--format is one of ${formats.join(', ')}, not “${text}”`)
}
