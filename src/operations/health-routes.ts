import { Answer } from '../http/answer.js';
import type { PlainRoute } from '../http/plain-route.js';
import type { ReadinessReport } from './readiness.js';

/** `/livez`: the process responds. `/readyz`: 200 or 503, whether it can serve, and the result of each check. */
export function healthRoutes(readiness: () => Promise<ReadinessReport>): PlainRoute[] {
  return [
    {
      method: 'GET',
      path: '/livez',
      skipsDatabase: true,
      handler: () => new Answer(200, { live: true }),
    },
    {
      method: 'GET',
      path: '/readyz',
      skipsDatabase: true,
      handler: async () => {
        const report = await readiness();
        return new Answer(report.ready ? 200 : 503, report);
      },
    },
  ];
}
