import { ETwitterStreamEvent, TwitterApi } from 'twitter-api-v2';

const app = new TwitterApi(process.env.PIPIT_BEARER_TOKEN);
const user = new TwitterApi(process.env.PIPIT_OAUTH2_TOKEN);
await app.v2.updateStreamRules({ add: [{ value: 'from:maya streamed' }] });
const stream = await app.v2.searchStream({ expansions: ['author_id'] });
stream.on(ETwitterStreamEvent.Data, ({ includes }) => {
  console.log(includes.users[0].username);
  stream.close();
});
await user.v2.tweet(`streamed ${Date.now()}`);
