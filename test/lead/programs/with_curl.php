<?php
$request = curl_init('https://api.x.com/2/users/by/username/maya');
curl_setopt($request, CURLOPT_RETURNTRANSFER, true);
curl_setopt($request, CURLOPT_HTTPHEADER, ['Authorization: Bearer ' . getenv('PIPIT_BEARER_TOKEN')]);
$answer = curl_exec($request);
if ($answer === false) {
    throw new RuntimeException(curl_error($request));
}
echo json_decode($answer)->data->username, "\n";
