import type { Command } from 'commander'
import type { RunNamed } from './run-named.ts'
import { json } from './shared-options.ts'

/** The workspaces that have installed the app: `installations`. */
export const addInstallations = (program: Command, run: RunNamed): void => {
  const installations = program
    .command('installations')
    .description('the workspaces that have installed the app, where there are several')

  installations
    .command('list')
    .description('show them, and until when their tokens last')
    .addOption(json())
    .action(options => run('installations-list', options))

  installations
    .command('remove')
    .description('delete the tokens of one and pause its digests')
    .argument('<id>', 'the id of the workspace')
    .addOption(json())
    .action((id, options) => run('installations-remove', { id, ...options }))

  installations
    .command('rotate-keys')
    .description('seal all tokens with the first key of QUERENT_ENCRYPTION_KEYS')
    .addOption(json())
    .action(options => run('installations-rotate-keys', options))
}
