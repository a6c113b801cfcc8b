import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { variableNames } from '../../src/config/environment-variables.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { projectFolder } from '../../src/lib/project.ts'
import { makeFolder } from '../config/make-folder.ts'
import { hasHelm, helm } from '../helpers/services/helm.ts'

const chart = join(projectFolder, 'deploy/helm')
const read = (path: string): string => readFileSync(join(projectFolder, path), 'utf8')

/** What the chart makes, by kind and name. */
const render = async (settings: Readonly<Record<string, unknown>> = {}, release = 'querent') => {
  const set = Object.entries(settings).flatMap(([key, value]) => ['--set', `${key}=${value}`])
  const documents = parseAllDocuments(await helm('template', release, chart, ...set))
  const made = new Map<string, ReturnType<typeof JSON.parse>>()
  for (const document of documents) {
    expect(document.errors).toEqual([])
    const resource = document.toJS()
    const key = `${resource.kind}/${resource.metadata.name}`
    expect(made.has(key), key).toBe(false)
    made.set(key, resource)
  }
  return made
}

const redisPassword = {
  name: 'REDIS_PASSWORD',
  valueFrom: { secretKeyRef: { name: 'querent', key: 'REDIS_PASSWORD' } },
}

const ownSecret = { 'secret.existing': '', 'secret.values.SLACK_BOT_TOKEN': 'xoxb-1' }

it('the chart is of the version of package.json', () => {
  const { version } = JSON.parse(read('package.json'))
  expect(parse(read('deploy/helm/Chart.yaml'))).toMatchObject({ version, appVersion: version })
})

it('the chart runs the images of docker-compose.yml', () => {
  const { postgres, redis } = parse(read('docker-compose.yml')).services
  expect(parse(read('deploy/helm/values.yaml'))).toMatchObject({
    postgres: { image: postgres.image },
    redis: { image: redis.image },
  })
})

describe.skipIf(!hasHelm('the Helm chart'))('the Helm chart', () => {
  it('passes the linter', async () => {
    expect(await helm('lint', chart, '--strict')).not.toMatch(/WARNING|ERROR/)
  })

  it('runs the bot as deploy/kubernetes does, with a Postgres and a Redis', async () => {
    const made = await render()
    expect([...made.keys()].toSorted()).toEqual([
      'ConfigMap/querent',
      'Deployment/querent',
      'Deployment/querent-redis',
      'NetworkPolicy/querent',
      'NetworkPolicy/querent-postgres',
      'NetworkPolicy/querent-redis',
      'PodDisruptionBudget/querent',
      'Service/querent',
      'Service/querent-postgres',
      'Service/querent-redis',
      'StatefulSet/querent-postgres',
    ])
    const { spec } = made.get('Deployment/querent')
    const plain = parse(read('deploy/kubernetes/deployment.yaml')).spec
    expect(spec).toMatchObject({ replicas: plain.replicas, strategy: plain.strategy })
    const { containers, topologySpreadConstraints, ...pod } = plain.template.spec
    expect(spec.template.spec).toMatchObject(pod)
    const { image, env, ...container } = containers[0]
    expect(spec.template.spec.containers[0]).toMatchObject(container)
    expect(spec.template.spec.containers[0].image).toBe(`querent:${JSON.parse(read('package.json')).version}`)
    expect(spec.template.spec.containers[0].env).toEqual([
      ...env,
      {
        name: 'POSTGRES_PASSWORD',
        valueFrom: { secretKeyRef: { name: 'querent', key: 'POSTGRES_PASSWORD' } },
      },
      {
        name: 'DATABASE_URL',
        value: 'postgres://querent:$(POSTGRES_PASSWORD)@querent-postgres:5432/querent',
      },
      redisPassword,
      { name: 'REDIS_URL', value: 'redis://:$(REDIS_PASSWORD)@querent-redis:6379' },
    ])
  })

  it('gives Redis a password, and lets only the bot reach Postgres and Redis', async () => {
    const made = await render()
    const [container] = made.get('Deployment/querent-redis').spec.template.spec.containers
    expect(container.args.slice(0, 3)).toEqual(['redis-server', '--requirepass', '$(REDIS_PASSWORD)'])
    expect(container.env).toEqual([redisPassword, { name: 'REDISCLI_AUTH', value: '$(REDIS_PASSWORD)' }])
    expect(container.readinessProbe.exec.command).toEqual(['redis-cli', '-e', 'ping'])
    const bot = made.get('Deployment/querent').spec.selector.matchLabels
    for (const part of ['postgres', 'redis']) {
      const { spec } = made.get(`NetworkPolicy/querent-${part}`)
      expect(spec.ingress).toMatchObject([{ from: [{ podSelector: { matchLabels: bot } }] }])
    }
  })

  it('gives the bot a configuration that it takes', async () => {
    const text = (await render()).get('ConfigMap/querent').data['querent.yml']
    expect(parse(text)).toEqual(parse(read('deploy/kubernetes/settings.yml')))
    const cwd = makeFolder({ 'querent.yml': text })
    const config = loadConfig({ cwd, env: { SHOP_DATABASE_URL: 'postgres://reader@warehouse/shop' } })
    expect(config.operations).toMatchObject({ host: '0.0.0.0', port: 9464 })
  })

  it.each(['querent', 'data'])('selects the pods it makes, each by one service, as %s', async release => {
    const made = await render({}, release)
    const all = [...made.values()]
    const pods = all.flatMap(({ spec }) => (spec?.template ? [spec.template.metadata.labels] : []))
    const selects = (selector: Readonly<Record<string, string>>) =>
      pods.filter(labels => Object.entries(selector).every(([name, value]) => labels[name] === value)).length
    const selectors = all.flatMap(({ spec }) => [
      ...(spec?.podSelector ? [spec.podSelector.matchLabels] : []),
      ...(spec?.selector ? [spec.selector.matchLabels ?? spec.selector] : []),
    ])
    expect(pods).toHaveLength(3)
    // Three workloads, three services, three policies, and the budget.
    expect(selectors).toHaveLength(10)
    expect(selectors.map(selects)).toEqual(selectors.map(() => 1))
    for (const { metadata } of all) expect(metadata.name).toMatch(new RegExp(`^${release}(-|$)`))
  })

  it('takes a Postgres and a Redis of yours from the secret', async () => {
    const made = await render({
      ...ownSecret,
      'secret.values.DATABASE_URL': 'postgres://querent@postgres/querent',
      'postgres.enabled': false,
      'redis.enabled': false,
      replicas: 1,
    })
    expect([...made.keys()].toSorted()).toEqual([
      'ConfigMap/querent',
      'Deployment/querent',
      'NetworkPolicy/querent',
      'Secret/querent',
      'Service/querent',
    ])
    const { stringData } = made.get('Secret/querent')
    expect(Object.keys(stringData).filter(name => !variableNames.includes(name as never))).toEqual([])
    const [container] = made.get('Deployment/querent').spec.template.spec.containers
    expect(container.env.map(({ name }: { readonly name: string }) => name)).toEqual(['QUERENT_CONFIG'])
    expect(container.envFrom).toEqual([{ secretRef: { name: 'querent' } }])
  })

  it('says what is missing or not known', async () => {
    await expect(render(ownSecret)).rejects.toThrow('set secret.values.POSTGRES_PASSWORD')
    await expect(render({ ...ownSecret, 'secret.values.POSTGRES_PASSWORD': 'p' })).rejects.toThrow(
      'set secret.values.REDIS_PASSWORD',
    )
    await expect(render({ replicaz: 3 })).rejects.toThrow('replicaz')
    await expect(render({ 'postgres.enabled': 'maybe' })).rejects.toThrow('/postgres/enabled')
  })
})
