import { checkParts } from '../compose/checks/check-parts.ts'
import { terminalWidth } from './columns-of.ts'
import type { CommandContext } from './command-context.ts'
import { renderChecks } from './render-checks.ts'
import { writeJson } from './write-json.ts'

/** `doctor`: checks each part and says what to do. Exit status 1 when a part is broken, 0 also when one is weak. */
export const runDoctor = async (
  options: { readonly database?: string; readonly json?: boolean },
  context: CommandContext,
): Promise<number> => {
  const checks = await checkParts(context, options.database ?? null)
  context.clearProgress()
  if (options.json) writeJson(context.terminal.out, { checks })
  else context.terminal.out.write(renderChecks(checks, terminalWidth(context.terminal.out)))
  return checks.some(check => check.status === 'broken') ? 1 : 0
}
