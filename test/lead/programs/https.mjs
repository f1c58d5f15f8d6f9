import { get } from 'node:https';

const headers = { authorization: `Bearer ${process.env.PIPIT_BEARER_TOKEN}` };
get('https://api.twitter.com/2/users/by/username/maya', { headers }, async (response) => {
  const { data } = JSON.parse((await response.toArray()).join(''));
  console.log(data.username);
});
