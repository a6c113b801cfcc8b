import type { Command } from 'commander'
import { digestHelp, optionHelp } from '../copy/help.ts'
import { jsonOption, type RunCommandByName } from './options.ts'

/** Adds `digest` and its subcommands. */
export const addDigestCommands = (program: Command, run: RunCommandByName): void => {
  const digest = program.command('digest').description(digestHelp.description)

  digest
    .command('list')
    .description(digestHelp.list)
    .addOption(jsonOption())
    .action(options => run('digest-list', options))

  digest
    .command('run')
    .description(digestHelp.run)
    .argument('<id>', optionHelp.idPrefix)
    .addOption(jsonOption())
    .action((id, options) => run('digest-run', { id, ...options }))

  digest
    .command('edit')
    .description(digestHelp.edit)
    .argument('<id>', optionHelp.idPrefix)
    .argument('<words...>', digestHelp.words)
    .addOption(jsonOption())
    .action((id, words, options) => run('digest-edit', { id, words, ...options }))

  digest
    .command('pause')
    .description(digestHelp.pause)
    .argument('<id>', optionHelp.idPrefix)
    .addOption(jsonOption())
    .action((id, options) => run('digest-pause', { id, ...options }))

  digest
    .command('resume')
    .description(digestHelp.resume)
    .argument('<id>', optionHelp.idPrefix)
    .addOption(jsonOption())
    .action((id, options) => run('digest-resume', { id, ...options }))
}
