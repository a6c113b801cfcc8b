import type { CommandContext } from './command-context.ts'
import { writeJson } from './write-json.ts'

/** `migrate`: brings our own database up to date. Opening it does that, for every table that is ours. */
export const runMigrate = async (
  options: { readonly json?: boolean },
  { resources, terminal }: CommandContext,
): Promise<number> => {
  const { migrated } = await resources.ownStore()
  if (options.json) writeJson(terminal.out, { migrated })
  else
    terminal.out.write(migrated.length > 0 ? `Ran ${migrated.join(', ')}.\n` : 'Nothing to do: up to date.\n')
  return 0
}
