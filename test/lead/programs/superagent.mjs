import request from 'superagent';

const { body } = await request
  .get('https://api.x.com/2/users/by/username/maya')
  .auth(process.env.PIPIT_BEARER_TOKEN, { type: 'bearer' });
console.log(body.data.username);
