import type { Command } from 'commander'
import { databaseOption, jsonOption, type RunCommandByName } from './options.ts'

/** What people taught: `verified`, `selector`, `feedback`, `knowledge`. */
export const addFeedbackCommands = (program: Command, run: RunCommandByName): void => {
  const verified = program
    .command('verified')
    .description(
      'questions with SQL that somebody stands for: others that ask the same are answered from them',
    )

  verified
    .command('list')
    .description('show those that are proposed, accepted or stale, when they last ran and why they are stale')
    .option('--database <database>', 'only those of this database (default: all)')
    .option('--status <status>', 'only those that are proposed, accepted, stale or removed')
    .addOption(jsonOption())
    .action(options => run('verified-list', options))

  verified
    .command('add')
    .description('save a question with its SQL, once the SQL has passed the guard and run')
    .argument('<question>', 'the question, in quotes')
    .option('--sql <sql>', 'the SQL that answers it')
    .option('--file <file>', 'a file with the SQL')
    .option('--accept', 'accept it at once; else it is proposed, and not used before somebody accepts it')
    .option('--as-of <time>', 'what "now" is, for periods in the question')
    .addOption(databaseOption())
    .addOption(jsonOption())
    .action((question, options) => run('verified-add', { question, ...options }))

  verified
    .command('accept')
    .description('answer questions from it from now on; one that went stale has to run first')
    .argument('<id>', 'its id, or how that begins')
    .addOption(jsonOption())
    .action((id, options) => run('verified-accept', { id, ...options }))

  verified
    .command('remove')
    .description('use it no more')
    .argument('<id>', 'its id, or how that begins')
    .addOption(jsonOption())
    .action((id, options) => run('verified-remove', { id, ...options }))

  const selector = program
    .command('selector')
    .description('what chooses one answer among several results, as it learned from votes')

  selector
    .command('list')
    .description('show the selectors that votes trained, and why each is in use or not')
    .addOption(jsonOption())
    .action(options => run('selector-list', options))

  selector
    .command('promote')
    .description('put a trained selector in use, whatever its report says')
    .argument('<version>', 'as selector list shows it')
    .addOption(jsonOption())
    .action((id, options) => run('selector-promote', { id, ...options }))

  selector
    .command('rollback')
    .description('go back to a selector that was in use before')
    .argument('<version>', 'as selector list shows it, or "shipped" for the one that came with Querent')
    .addOption(jsonOption())
    .action((id, options) => run('selector-rollback', { id, ...options }))

  program
    .command('feedback')
    .description('what people did about answers')
    .command('export')
    .description('write it as pairs of statements, the better one named; without who said it')
    .option(
      '--format <format>',
      "pairs (with what the selector measured; the default) or openai (that provider's format for preference fine-tuning, for a model that judges)",
    )
    .option('--out <file>', 'where to (default: standard output)')
    .addOption(jsonOption())
    .action(options => run('feedback-export', options))

  const knowledge = program
    .command('knowledge')
    .description(
      'what people said words mean when they were asked back; what is accepted is used for answers',
    )

  knowledge
    .command('proposed')
    .description('show what was proposed')
    .option('--database <database>', 'only those of this database (default: all)')
    .option('--status <status>', 'those that are proposed (the default), accepted or rejected')
    .addOption(jsonOption())
    .action(options => run('knowledge-proposed', options))

  knowledge
    .command('accept')
    .description('use it for answers from now on')
    .argument('<id>', 'its id, or how that begins')
    .addOption(jsonOption())
    .action((id, options) => run('knowledge-accept', { id, ...options }))

  knowledge
    .command('reject')
    .description('use it no more, and do not propose it again')
    .argument('<id>', 'its id, or how that begins')
    .addOption(jsonOption())
    .action((id, options) => run('knowledge-reject', { id, ...options }))
}
