import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

/** Helm 3 or 4, or what HELM_COMMAND names, such as test/engines/helm/helm.sh. */
const command = process.env.HELM_COMMAND ?? 'helm'

/**
 * Whether there is a Helm to lint and render the chart with. Where there is none, one line says so and the suite skips
 * itself; with `QUERENT_REQUIRE_SERVICES=1` that is a failure.
 */
export const hasHelm = (suite: string): boolean => {
  if (process.env.HELM_COMMAND || spawnSync(command, ['version']).status === 0) return true
  if (process.env.QUERENT_REQUIRE_SERVICES === '1') {
    throw new Error(`${suite} needs helm, and QUERENT_REQUIRE_SERVICES=1 allows no skipping`)
  }
  console.info(
    `skipped: ${suite}; to run it, install Helm, or set HELM_COMMAND as CONTRIBUTING.md says (Java 17 and Maven)`,
  )
  return false
}

/** Runs it. Rejects with what it wrote if it fails. */
export const helm = async (...words: readonly string[]): Promise<string> =>
  (await promisify(execFile)(command, words)).stdout
