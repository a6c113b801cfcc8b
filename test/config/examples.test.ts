import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { variableNames } from '../../src/config/environment-variables.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { listSettings } from '../../src/config/settings.ts'
import { settingsOfStrategy, strategyNames } from '../../src/domain/strategies/strategy.ts'
import { makeFolder } from './make-folder.ts'
import { strategyTable } from './strategy-table.ts'

const read = (name: string) => readFileSync(join(import.meta.dirname, '../..', name), 'utf8')
/** A setting that is commented out begins with `#`, a note with `#` and a space. */
const uncommented = (text: string) => text.replaceAll(/^#(?! |$)/gm, '').replaceAll(/^#( {2,})/gm, '$1')
const example = read('querent.example.yml')
const envExample = read('.env.example')

describe('querent.example.yml', () => {
  it('has the defaults', () => {
    const cwd = makeFolder({ 'querent.yml': example })
    const { file, ...config } = loadConfig({ env: {}, cwd })
    const bare = makeFolder()
    const { file: _, ...defaults } = loadConfig({ env: {}, cwd: bare })
    expect(file).toBe(join(cwd, 'querent.yml'))
    expect(config).toEqual({
      ...defaults,
      home: join(cwd, '.querent'),
      knowledgeFolder: join(cwd, 'knowledge'),
      semanticFolder: join(cwd, 'semantic'),
      workingFolder: cwd,
    })
  })

  it('is valid with every setting, together with .env.example', () => {
    const cwd = makeFolder({ 'querent.yml': uncommented(example), '.env': uncommented(envExample) })
    const env = { QUERENT_CONFIG: join(cwd, 'querent.yml') }
    const config = loadConfig({ env, cwd })
    expect(config.databases.shop?.url.reveal()).toMatch(/^postgres:/)
    expect(config.models).not.toBeNull()
  })

  it('has every setting, and nothing else', () => {
    const mentioned = new Set(pathsOf(parse(uncommented(example))))
    expect([...mentioned].sort()).toEqual(
      listSettings()
        .map(({ path }) => path)
        .sort(),
    )
  })
})

describe('.env.example', () => {
  it('sets nothing', () => {
    expect(parseEnv(envExample)).toEqual({})
  })

  it('has every variable that a person sets', () => {
    const ours = variableNames.filter(name => !['INIT_CWD', 'QUERENT_REQUIRE_SERVICES'].includes(name))
    expect(Object.keys(parseEnv(uncommented(envExample))).sort()).toEqual(
      [...ours, 'SHOP_DATABASE_URL', 'ANTHROPIC_API_KEY', 'ADA_MCP_TOKEN'].sort(),
    )
  })
})

describe('docs/strategies.md', () => {
  const page = read('docs/strategies.md')

  it.each(strategyNames)('says what %s is', name => {
    expect(page).toContain(`\n## ${name}\n`)
  })

  it.each(strategyNames.filter(name => settingsOfStrategy(name) !== null))('has the settings of %s', name => {
    expect(page).toContain(`\n${strategyTable(name)}\n`)
  })
})

function pathsOf(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path.join('.')]
  return Object.entries(value).flatMap(([name, part]) =>
    pathsOf(part, [...path, isNamedByUser(path) ? '<name>' : name]),
  )
}

/** The keys of these groups are names that the user chooses. */
function isNamedByUser(path: readonly string[]): boolean {
  const named = [
    'databases',
    'channels',
    'models.endpoints',
    'models.capabilities',
    'models.prices',
    'mcp.tokens',
    'access.people',
    'access.groups',
  ]
  return (
    named.includes(path.join('.')) ||
    /(^|\.)(credentials|claims|rows|masks|session)$/.test(path.join('.')) ||
    /^access\.(people\.<name>|groups\.<name>\.databases)$/.test(path.join('.'))
  )
}
