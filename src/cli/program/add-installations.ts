import type { Command } from 'commander'
import type { RunCommandByName } from './run-named.ts'
import { jsonOption } from './shared-options.ts'

/** The workspaces that have installed the app: `installations`. */
export const addInstallationCommands = (program: Command, run: RunCommandByName): void => {
  const installations = program
    .command('installations')
    .description('the workspaces that have installed the app, where there are several')

  installations
    .command('list')
    .description('show them, and until when their tokens last')
    .addOption(jsonOption())
    .action(options => run('installations-list', options))

  installations
    .command('remove')
    .description('delete the tokens of one and pause its digests')
    .argument('<id>', 'the id of the workspace')
    .addOption(jsonOption())
    .action((id, options) => run('installations-remove', { id, ...options }))

  installations
    .command('rotate-keys')
    .description('seal all tokens with the first key of QUERENT_ENCRYPTION_KEYS')
    .addOption(jsonOption())
    .action(options => run('installations-rotate-keys', options))
}
