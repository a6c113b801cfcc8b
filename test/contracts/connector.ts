import { afterAll, beforeAll, describe, expect, vi } from 'vitest'
import type { Connector } from '../../src/domain/database.ts'
import { runOn } from '../helpers/run-on.ts'
import { testAtOnce } from './connector/at-once.ts'
import { testClosing } from './connector/closing.ts'
import type { ConnectorAtWork, ConnectorSubject } from './connector/connector-subject.ts'
import { testIntrospection } from './connector/introspection.ts'
import { testRefusing } from './connector/refusing.ts'
import { testResults } from './connector/results.ts'
import { testStopping } from './connector/stopping.ts'

/** Every implementation of `Connector` passes this (core/connector.ts). */
export const testConnector = (subject: ConnectorSubject): void => {
  describe(`${subject.name} as a connector`, () => {
    let connector: Connector
    beforeAll(async () => {
      connector = await subject.open()
    })
    afterAll(async () => {
      await connector.close()
      await subject.cleanUp()
    })

    const atWork: ConnectorAtWork = {
      subject,
      connector: () => connector,
      run: (sql, options) => runOn(connector, sql, options),
      nothingRuns: () =>
        vi.waitFor(async () => expect(await subject.runningStatements()).toBe(0), { timeout: 5000 }),
    }
    testResults(atWork)
    testStopping(atWork)
    testRefusing(atWork)
    testIntrospection(atWork)
    testAtOnce(atWork)
    testClosing(atWork)
  })
}
