import { resolve } from 'node:path'
import { diffRuns } from '../evaluation/diff-runs.ts'
import { readOutFile } from '../evaluation/out-file.ts'
import { renderDiff } from '../evaluation/render-diff.ts'
import type { CommandContext } from './command-context.ts'
import { writeJson } from './write-json.ts'

/** `eval diff`: two runs of the same questions, paired. */
export const runEvalDiff = async (
  options: { readonly a?: string; readonly b?: string; readonly json?: boolean },
  { terminal }: CommandContext,
): Promise<number> => {
  const read = (file = '') => readOutFile(resolve(terminal.folder, file))
  const diff = diffRuns(await read(options.a), await read(options.b))
  if (options.json) writeJson(terminal.out, diff)
  else terminal.out.write(`${renderDiff(diff)}\n`)
  return 0
}
