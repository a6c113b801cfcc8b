import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { runCommandLine } from '../../src/cli/program/program.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { parseKnowledge } from '../../src/databases/knowledge/parse-knowledge.ts'
import { projectFolder } from '../../src/lib/project.ts'
import { parseLayerFile } from '../../src/semantic-layer/files/parse-layer-file.ts'
import { metricDefinitions } from '../../src/telemetry/metric-definitions.ts'
import { makeFolder } from '../config/make-folder.ts'
import { type Example, npmScripts, querentCommands, readExamples } from './read-examples.ts'

/** Files and commands that the pages show are ones that Querent accepts. What is run is in `examples.int.test.ts`. */

const examples = readExamples()

const titled = (title: string | RegExp): readonly Example[] => {
  const found = examples.filter(example =>
    typeof title === 'string' ? example.title === title : title.test(example.title ?? ''),
  )
  expect(found).not.toEqual([])
  return found
}

/** What an excerpt of querent.yml leaves out, and refers to. */
const surroundings = {
  databases: {
    shop: {
      url: 'postgres://reader@127.0.0.1/shop',
      credentials: { emea: 'postgres://emea@127.0.0.1/shop' },
    },
    catalogue: { url: 'postgres://reader@127.0.0.1/catalogue' },
  },
  access: { groups: { sales: { members: ['S0614TZR7'], databases: { shop: {} } } } },
  models: { drafter: { model: 'gpt-5-mini' } },
}

/** The environment variables that the settings in the examples refer to. */
const secrets = {
  OPENAI_API_KEY: 'key',
  SLACK_BOT_TOKEN: 'xoxb-1-token',
  SLACK_SIGNING_SECRET: 'f'.repeat(32),
}

/** Any value that fits a variable's name. */
const fittingValue = (name: string): string =>
  name.endsWith('_URL') ? 'postgres://reader@127.0.0.1/shop' : `value-of-${name}`.padEnd(40, '-')

const loadExcerpt = (text: string): void => {
  const excerpt = parse(text)
  const whole = {
    ...surroundings,
    ...excerpt,
    databases: { ...surroundings.databases, ...excerpt.databases },
    models: { ...surroundings.models, ...excerpt.models },
  }
  const variables = [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name)
  loadConfig({
    env: { ...secrets, ...Object.fromEntries(variables.map(name => [name, fittingValue(name)])) },
    cwd: makeFolder({ 'querent.yml': stringify(whole) }),
  })
}

it('every block of YAML, SQL or Markdown says what it is, so that a test can hold it to that', () => {
  const known =
    /^(querent\.yml|semantic\/.*|knowledge\/.*|manifest\.yml|values\.yaml|alerts\.yml|Querent's own database)$/
  const unknown = examples.filter(
    ({ language, title }) => ['yaml', 'sql', 'markdown'].includes(language) && !known.test(title ?? ''),
  )
  // Rights in Snowflake's own SQL, for which there is no server to try them on.
  expect(unknown.map(({ where }) => where.split(':')[0])).toEqual(['docs/databases.md'])
})

describe('an excerpt of', () => {
  it.each(titled('querent.yml'))('querent.yml is valid: $where', ({ text }) => {
    expect(() => loadExcerpt(text)).not.toThrow()
  })

  it.each(titled('values.yaml'))('the values of the Helm chart has valid settings: $where', ({ text }) => {
    const values = parse(text)
    expect(() => loadExcerpt(stringify(values.settings))).not.toThrow()
    expect(parse(readFileSync(join(projectFolder, 'deploy/helm/values.yaml'), 'utf8'))).toMatchObject(
      Object.fromEntries(Object.keys(values).map(name => [name, expect.anything()])),
    )
  })

  it.each(titled('manifest.yml'))('the manifest of the Slack app is YAML: $where', ({ text }) => {
    expect(Object.keys(parse(text))).toHaveLength(1)
  })

  it.each(titled('alerts.yml'))('alerts names only metrics that there are: $where', ({ text }) => {
    const names: readonly string[] = Object.values(metricDefinitions).map(({ name }) => name)
    const used = [...text.matchAll(/\bquerent_\w+/g)].map(([name]) => name.replace(/_bucket$/, ''))
    expect(used.length).toBeGreaterThan(3)
    expect(used.filter(name => !names.includes(name))).toEqual([])
    for (const { rules } of parse(text).groups) expect(rules[0]).toMatchObject({ alert: expect.any(String) })
  })
})

it('a setting that is no setting is noticed', () => {
  expect(() => loadExcerpt('limits:\n  max_rows: 5\n')).toThrow('maxRows')
})

it.each(titled(/^semantic\//))('a file of the semantic layer has no problems: $where', ({ text }) => {
  const { problems } = parseLayerFile(text, { file: 'shop.yml' })
  expect(problems).toEqual([])
})

it.each(titled(/^knowledge\//))('a file of terms has no problems: $where', ({ text }) => {
  const { problems } = parseKnowledge(text, { file: 'shop.md', source: 'knowledge' })
  expect(problems).toEqual([])
})

const shell = examples.filter(({ language }) => language === 'sh')

it('scripts of npm that a page names are there', () => {
  const { scripts } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'))
  const missing = shell.flatMap(({ where, text }) =>
    npmScripts(text)
      .filter(script => !(script in scripts))
      .map(script => `${where}: ${script}`),
  )
  expect(missing).toEqual([])
})

it.each(shell.filter(({ text }) => querentCommands(text).length > 0))(
  'commands have arguments and options that there are: $where',
  async ({ text }) => {
    for (const command of querentCommands(text)) {
      let said = ''
      const into = { write: (part: string) => (said += part) }
      const status = await runCommandLine(command, { out: into, err: into }, async () => 0)
      expect(status, `${command.join(' ')}\n${said}`).toBe(0)
    }
  },
)
