import type { Fact } from '../facts.ts';
import type { Questions } from './question.ts';

const ownServices = /streams|features|gossip/;

export const serverQuestions: Questions = {
  'server: methods': async ({ server }): Promise<Fact> => {
    const answer = await server.features();
    if ('refused' in answer) return answer;
    const methods = answer.methods
      .filter(({ serviceName }) => ownServices.test(serviceName))
      .map(({ serviceName, methodName, features }) => {
        const sorted = features.toSorted().join();
        return `${serviceName}/${methodName} ${sorted}`;
      });
    return { methods: methods.toSorted() };
  },

  'server: gossip': async ({ server }): Promise<Fact> => {
    const answer = await server.gossip();
    if ('refused' in answer) return answer;
    return answer.members.map(({ state, isAlive, httpEndPoint }) => ({
      state,
      is_alive: isAlive,
      address: httpEndPoint?.address,
    }));
  },
};
