import type { Command } from 'commander'
import { jsonOption, type RunCommandByName } from './options.ts'

/** Questions that are asked again and again: `digest`. */
export const addDigestCommands = (program: Command, run: RunCommandByName): void => {
  const digest = program
    .command('digest')
    .description('questions that are asked on a schedule, and posted; people make them in Slack')

  digest
    .command('list')
    .description('show all of them, the next due first')
    .addOption(jsonOption())
    .action(options => run('digest-list', options))

  digest
    .command('run')
    .description('run one now: the bot does it, with the rights of its owner')
    .argument('<id>', 'its id, or the beginning of it')
    .addOption(jsonOption())
    .action((id, options) => run('digest-run', { id, ...options }))

  digest
    .command('edit')
    .description(
      'give one another schedule, condition or place: `digest edit 1d44 every monday at 9 if above 100`',
    )
    .argument('<id>', 'its id, or the beginning of it')
    .argument(
      '<words...>',
      'when, in words or cron; then, if wanted, `if it changed`, `if above N`, `if below N` or `if it changes by N %`, and `in C…` or `to its owner`',
    )
    .addOption(jsonOption())
    .action((id, words, options) => run('digest-edit', { id, words, ...options }))

  digest
    .command('pause')
    .description('let one rest until it is resumed')
    .argument('<id>', 'its id, or the beginning of it')
    .addOption(jsonOption())
    .action((id, options) => run('digest-pause', { id, ...options }))

  digest
    .command('resume')
    .description('let one run again, from its next due time on')
    .argument('<id>', 'its id, or the beginning of it')
    .addOption(jsonOption())
    .action((id, options) => run('digest-resume', { id, ...options }))
}
