import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { makeReference } from '../../docs/site/reference/write-reference.ts'
import { listCommands } from '../../src/cli/program/command-list.ts'
import { variableNames } from '../../src/config/environment-variables.ts'
import { listSettings, listStrategySettings } from '../../src/config/settings.ts'
import { strategyNames } from '../../src/domain/strategies/strategy.ts'
import { projectFolder } from '../../src/lib/project.ts'
import { digestSlashCommands, slashCommands } from '../../src/slack/copy/help.ts'
import { type ParsedCommand, parseCommand } from '../../src/slack/listeners/command.ts'
import { parseDigestCommand } from '../../src/slack/listeners/digest-command.ts'
import { makeMetrics } from '../../src/telemetry/metrics.ts'

/** The pages in docs/reference are what the code says now, and name everything there is. */

const reference = await makeReference()

const read = (path: string): string => readFileSync(join(projectFolder, path), 'utf8')

it.each([...reference.keys()])('%s is as `npm run docs:reference` writes it', path => {
  expect(read(path)).toBe(reference.get(path))
})

describe('settings.md', () => {
  const page = reference.get('docs/reference/settings.md') ?? ''

  /** Either described under a heading of its own, or listed as a setting that another group has too. */
  const isNamed = (path: string): boolean => {
    if (page.includes(`# \`${path}\`\n`)) return true
    const at = path.lastIndexOf('.')
    const line = page.split('\n').find(line => line.startsWith(`- \`${path.slice(0, at)}\`: \`model`))
    const other = page.split('\n').find(line => line.startsWith(`- \`${path.slice(0, at)}\`: \`database`))
    return (line ?? other)?.includes(`\`${path.slice(at + 1)}\``) ?? false
  }

  it('names every setting', () => {
    const settings = [...listSettings(), ...strategyNames.flatMap(listStrategySettings)]
    const paths = settings
      .map(({ path }) => path)
      .filter(path => path.split('.').length !== 2 || !path.startsWith('strategies.'))
    expect(paths.length).toBeGreaterThan(150)
    expect(paths.filter(path => !isNamed(path))).toEqual([])
  })

  it('says of every setting what it is for and what it must be', () => {
    const parts = page.split(/\n(?=##+ `)/).slice(1)
    const silent = parts.filter(part => !/\n\n\S.*\n\n.*Must be /.test(part.split(/\n## (?!`)/)[0] ?? ''))
    expect(silent.map(part => part.split('\n')[0])).toEqual([])
  })
})

it('environment.md names every variable', () => {
  const page = reference.get('docs/reference/environment.md') ?? ''
  expect(variableNames.filter(name => !page.includes(`\n## \`${name}\`\n`))).toEqual([])
})

describe('command-line.md', () => {
  const page = reference.get('docs/reference/command-line.md') ?? ''

  it.each(listCommands())('has $path with its arguments and options', ({ path, args = [], options = [] }) => {
    const [, part = ''] = new RegExp(`\n##+ ${path}\n([\\s\\S]*?)(?=\n##|$)`).exec(page) ?? []
    for (const flags of [...args.map(([usage]) => usage), ...options.map(({ flags }) => flags)])
      expect(part).toContain(`\n| \`${flags}\` | `)
  })
})

describe('slack-commands.md', () => {
  const page = reference.get('docs/reference/slack-commands.md') ?? ''
  const manifest = parse(read('manifest.yml'))

  it('has all words that the listener knows, and no other', () => {
    const known: Readonly<Record<Exclude<ParsedCommand['word'], 'unknown'>, true>> = {
      ...{ ask: true, schema: true, verified: true },
      ...{ digest: true, admin: true, help: true },
    }
    const listed = [...slashCommands, ...digestSlashCommands].map(([words]) => words)
    for (const words of listed) expect(page).toContain(`| \`/querent ${words}\` |`)
    const parsed = listed.map(words => parseCommand(words).word)
    expect([...new Set(parsed)].toSorted()).toEqual(Object.keys(known).toSorted())
  })

  it('has the actions that can be taken on a digest', () => {
    const actions = digestSlashCommands.map(
      ([words]) => parseDigestCommand(words.replace(/^digest /, '').replace(/\bID$/, '1d444840')).action,
    )
    expect(new Set(actions)).toEqual(new Set(['make', 'list', 'runNow', 'pause', 'resume', 'remove']))
  })

  it('agrees with what Slack shows while typing', () => {
    const hints: readonly string[] = manifest.features.slash_commands[0].usage_hint.split(' | ')
    const bare = (words: string): string => words.replace(/ \[.*/, '')
    expect(hints.map(bare).filter(hint => !slashCommands.some(([words]) => words === hint))).toEqual([])
  })

  it('names every permission and event of the app', () => {
    const asked: readonly string[] = [
      ...manifest.oauth_config.scopes.bot,
      ...manifest.settings.event_subscriptions.bot_events,
    ]
    expect(asked.filter(name => !page.includes(`\`${name}\``))).toEqual([])
  })
})

it('metrics.md names every metric that is served', async () => {
  const page = reference.get('docs/reference/metrics.md') ?? ''
  const served = [...(await makeMetrics().render()).matchAll(/^# TYPE (\S+) /gm)]
  expect(served.length).toBeGreaterThan(40)
  const isNamed = (name: string | undefined) =>
    page.includes(`\n### \`${name}\`\n`) || page.includes(`\n| \`${name}\` |`)
  const missing = served.filter(([, name]) => !isNamed(name))
  expect(missing.map(([, name]) => name)).toEqual([])
})
