import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { projectFolder } from '../../../src/lib/project.ts'
import { digestSlashCommands, slashCommands } from '../../../src/slack/copy/help.ts'
import { pageStart, table } from './markdown.ts'

interface Manifest {
  readonly features: {
    readonly slash_commands: readonly { readonly command: string; readonly description: string }[]
    readonly shortcuts?: readonly { readonly name: string; readonly description: string }[]
  }
  readonly oauth_config: { readonly scopes: { readonly bot: readonly string[] } }
  readonly settings: { readonly event_subscriptions: { readonly bot_events: readonly string[] } }
}

/** The page of slash commands and of what the Slack app asks for, from the help in Slack and from manifest.yml. */
export const slackCommandsPage = (): string => {
  const manifest: Manifest = parse(readFileSync(join(projectFolder, 'manifest.yml'), 'utf8'))
  const { slash_commands: commands, shortcuts = [] } = manifest.features
  const scopes = manifest.oauth_config.scopes.bot
  const events = manifest.settings.event_subscriptions.bot_events
  return [
    ...pageStart(
      'Slack commands',
      'What people can type in Slack. Only they see the reply, except for the answer to a question.',
    ),
    ...commands.flatMap(({ command, description }) => [
      '',
      `## \`${command}\``,
      '',
      `${description}.`,
      '',
      ...commandTable(command, slashCommands),
    ]),
    '',
    '## Digests',
    '',
    'WHEN is plain words or cron, in your time zone: [digests.md](../digests.md#schedules) has examples. An id can be',
    'shortened to its first eight characters.',
    '',
    ...commandTable(commands[0]?.command ?? '', digestSlashCommands),
    '',
    '## Shortcuts',
    '',
    ...(shortcuts.length === 0
      ? [
          'The app has none. Buttons and menus are under each answer: [asking.md](../asking.md#use-the-answer).',
        ]
      : shortcuts.map(({ name, description }) => `- ${name}: ${description}`)),
    '',
    '## What the app may do',
    '',
    '[manifest.yml](../../manifest.yml) asks for these permissions and events:',
    '',
    `- permissions: ${codes(scopes)}`,
    `- events: ${codes(events)}`,
    '',
  ].join('\n')
}

const commandTable = (command: string, list: readonly (readonly [string, string])[]): readonly string[] =>
  table(
    ['type', 'what it does'],
    list.map(([words, what]) => [`\`${command} ${words}\``, what]),
  )

const codes = (names: readonly string[]): string => names.map(name => `\`${name}\``).join(', ')
